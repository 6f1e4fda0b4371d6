package config

import (
	"fmt"
	"strings"
	"testing"
)

func TestReplicaFaults(t *testing.T) {
	_, err := Parse("c.yaml", []byte("endpoints:\n  - name: a\n    replicas:\n      - localhost:8000\n"+
		"      - http://user:secretword@h/v1\n      - http://h/v1?key=secretword\n      - http://a/v1\n      - "+
		"http://a/v1/\n"))
	said := fmt.Sprint(err)
	for _, want := range []string{"4:9: the address is not", "5:9: the address contains", "6:9: the address contains",
		"8:9: http://a/v1 is listed twice"} {
		if !strings.Contains(said, want) || strings.Contains(said, "7:9") || strings.Contains(said, "secretword") {
			t.Errorf("%s, want %s", said, want)
		}
	}
}
