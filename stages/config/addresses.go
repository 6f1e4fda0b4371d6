package config

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/captionlake/captionlake/stages/llm"
)

// replicas reports the faults of the addresses of the endpoint at a YAML path. No fault repeats an
// address that may contain a password.
func (k *Check) replicas(at string, addresses []string) {
	if len(addresses) == 0 {
		k.Fault(at, "the endpoint has no replicas: give an address such as http://127.0.0.1:8000/v1")
	}
	seen := map[string]bool{}
	for i, base := range addresses {
		at := fmt.Sprintf("%s.replicas[%d]", at, i)
		u, err := url.Parse(base)
		bare := strings.TrimRight(base, "/") // The same address may be written with a slash at its end.
		switch {
		case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
			k.Fault(at, "the address is not of the form http://host:port/v1")
		case u.User != nil || u.RawQuery != "" || u.Fragment != "":
			k.Fault(at, "the address contains a user or a query; "+
				"put the key into an environment variable and name the variable in key_env")
		case u.Path == "":
			k.Fault(at, "the address names no version of the API: write http://host:port/v1, "+
				"or http://host:port/ for a server without versions")
		case seen[bare]:
			k.Fault(at, "%s is listed twice", bare)
		}
		seen[bare] = true
	}
}

// fieldUser is the only field of a body that may tell a router the session: OpenAI's API and vLLM
// accept it and ignore it.
const fieldUser = "user"

// headerName matches the name of a header, and the empty text, which stands for no header.
var headerName = regexp.MustCompile(`^[-_0-9A-Za-z]*$`)

// session reports the faults of the header and the field that tell a router the session.
func (k *Check) session(at string, s llm.Session) {
	switch name := http.CanonicalHeaderKey(s.Header); {
	case !headerName.MatchString(s.Header):
		k.Fault(at+".header", "%q is not the name of a header", s.Header)
	case name == "Authorization", name == "Host", name == "Connection", name == "Transfer-Encoding",
		strings.HasPrefix(name, "Content-"), strings.HasPrefix(name, "Accept"):
		k.Fault(at+".header", "the header %s has a meaning of its own: "+
			"name one that the router hashes, such as X-Session-ID", name)
	}
	if s.Field != "" && s.Field != fieldUser {
		k.Fault(at+".field", "servers ignore only the field "+fieldUser)
	}
}
