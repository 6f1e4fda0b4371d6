package ingest

import (
	"sync"

	"github.com/captionlake/captionlake/data"
)

// shared is what files that are loaded side by side read of the lake: each thing once, by the first that needs it. None of them
// changes it.
type shared struct {
	mu        sync.Mutex
	annotated map[string]annotatedElements // by benchmark
	bank      *bankOfOrders
	domains   map[string]string // of items, by image_id
}

// A bankOfOrders is how the questions of the lake's bank present their options.
type bankOfOrders struct {
	questions map[string]bankOrder // by question_id
	sizes     map[string]int       // questions by domain
}

// annotatedOf is readAnnotated.
func (s *shared) annotatedOf(lake *data.Lake, benchmark string) (annotatedElements, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all, ok := s.annotated[benchmark]; ok {
		return all, nil
	}
	all, err := readAnnotated(lake, benchmark)
	if err != nil {
		return nil, err
	}
	if s.annotated == nil {
		s.annotated = map[string]annotatedElements{}
	}
	s.annotated[benchmark] = all
	return all, nil
}

// bankOf reads the option orders of the bank.
func (s *shared) bankOf(lake *data.Lake) (*bankOfOrders, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bank != nil {
		return s.bank, nil
	}
	bank := &bankOfOrders{map[string]bankOrder{}, map[string]int{}}
	for row, err := range data.Project[bankOrder](lake, data.Questions, nil) {
		if err != nil {
			return nil, err
		}
		bank.questions[row.QuestionID] = row
		bank.sizes[row.Domain]++
	}
	s.bank = bank
	return bank, nil
}

// domainOf is the domain of an item's questions or pictures in the lake; empty where it has neither.
func (s *shared) domainOf(lake *data.Lake, imageID string) (string, error) {
	type item struct {
		ImageID string `parquet:"image_id"`
		Domain  string `parquet:"domain"`
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.domains == nil {
		domains := map[string]string{}
		for _, table := range []data.AnyTable{data.Images, data.Questions} { // The bank's word counts.
			for i, err := range data.Project[item](lake, table, nil) {
				if err != nil {
					return "", err
				}
				domains[i.ImageID] = i.Domain
			}
		}
		s.domains = domains
	}
	return s.domains[imageID], nil
}
