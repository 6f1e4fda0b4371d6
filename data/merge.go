package data

import "iter"

// mergeSource is one sorted temporary file of an external sort.
type mergeSource[T any] struct {
	next  func() (T, error, bool)
	stop  func()
	row   T
	index int
}

func newMergeSource[T any](rows iter.Seq2[T, error]) *mergeSource[T] {
	next, stop := iter.Pull2(rows)
	return &mergeSource[T]{next: next, stop: stop}
}

// advance moves to the next row; it reports false after the last.
func (s *mergeSource[T]) advance() (bool, error) {
	row, err, ok := s.next()
	if !ok || err != nil {
		s.stop()
		return false, err
	}
	s.row = row
	return true, nil
}

// mergeHeap orders sources by their current row. It implements heap.Interface.
type mergeHeap[T any] struct {
	sources []*mergeSource[T]
	compare func(a, b *T) int
}

func (h *mergeHeap[T]) Len() int { return len(h.sources) }

func (h *mergeHeap[T]) Less(i, j int) bool {
	c := h.compare(&h.sources[i].row, &h.sources[j].row)
	return c < 0 || c == 0 && h.sources[i].index < h.sources[j].index
}

func (h *mergeHeap[T]) Swap(i, j int) { h.sources[i], h.sources[j] = h.sources[j], h.sources[i] }

func (h *mergeHeap[T]) Push(x any) { h.sources = append(h.sources, x.(*mergeSource[T])) }

func (h *mergeHeap[T]) Pop() any {
	last := h.sources[len(h.sources)-1]
	h.sources = h.sources[:len(h.sources)-1]
	return last
}
