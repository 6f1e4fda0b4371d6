package config

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/captionlake/captionlake/stages/llm"
)

// replicaFaults are the faults of the addresses of an endpoint, nil for sound addresses. No error
// repeats an address, since it may contain a password.
func replicaFaults(addresses []string) []error {
	faults := make([]error, len(addresses))
	seen := map[string]bool{}
	for i, base := range addresses {
		u, err := url.Parse(base)
		bare := strings.TrimRight(base, "/")
		switch {
		case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
			faults[i] = errors.New("the address is not of the form http://host:port/v1")
		case u.User != nil || u.RawQuery != "" || u.Fragment != "":
			faults[i] = errors.New("the address contains a user or a query; put the key into an environment variable and name the variable in key_env")
		case u.Path == "":
			faults[i] = errors.New("the address names no version of the API: write http://host:port/v1, or http://host:port/ for a server without versions")
		case seen[bare]:
			faults[i] = fmt.Errorf("%s is listed twice", bare)
		}
		seen[bare] = true
	}
	return faults
}

// fieldUser is the only field of a body in which a router may look for the session.
const fieldUser = "user"

// sessionFaults are the faults of a header and a field for sessions.
func sessionFaults(s llm.Session) (header, field error) {
	valid := func(r rune) bool {
		return r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	switch name := http.CanonicalHeaderKey(s.Header); {
	case strings.ContainsFunc(s.Header, func(r rune) bool { return !valid(r) }):
		header = fmt.Errorf("%q is not the name of a header", s.Header)
	case name == "Authorization", name == "Host", name == "Connection", name == "Transfer-Encoding",
		strings.HasPrefix(name, "Content-"), strings.HasPrefix(name, "Accept"):
		header = fmt.Errorf("the header %s has a meaning of its own: name one that the router hashes, such as X-Session-ID", name)
	}
	if s.Field != "" && s.Field != fieldUser {
		field = errors.New("servers ignore only the field " + fieldUser)
	}
	return header, field
}
