package config

import (
	"fmt"
	"strings"
	"testing"
)

func TestReplicaFaults(t *testing.T) {
	says := []string{"the address is not", "the address contains", "the address contains", "<nil>", "listed twice"}
	for i, err := range replicaFaults([]string{"localhost:8000", "http://user:secretword@h/v1",
		"http://h/v1?key=secretword", "http://a/v1", "http://a/v1/"}) {
		if said := fmt.Sprint(err); !strings.Contains(said, says[i]) || strings.Contains(said, "secretword") {
			t.Errorf("%d: %s", i, said)
		}
	}
}
