package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web"
)

// tokenVariable may hold the token of pages for people, so that it is the same at every start.
const tokenVariable = "CAPTIONLAKE_TOKEN"

const leastToken = 16 // characters

// pageToken is the token of a page, a new one unless the variable has one.
func pageToken() (string, error) {
	token := cmp.Or(os.Getenv(tokenVariable), web.NewToken())
	if len(token) < leastToken {
		return "", data.WithHint(fmt.Errorf("%s is shorter than %d characters", tokenVariable, leastToken), "write a longer one, or unset it")
	}
	return token, nil
}

// wrongFlag is the error of a value that a flag cannot have.
func (a *app) wrongFlag(cmd *cobra.Command, format string, args ...any) error {
	a.usageErr = true
	return data.WithHint(fmt.Errorf(format, args...), "see: %s --help", cmd.CommandPath())
}

// servedPage is a page on which people decide.
type servedPage interface {
	Handler() http.Handler
	Close() (rows int, err error)
}

// servePage serves a page until ctx ends, and closes it whatever the server ended with. A page that has nothing to show is closed with that
// error. The result of the command is all that goes to standard output when it is JSON.
func (a *app) servePage(ctx context.Context, page servedPage, port int, token string, nothing error, greeting func(address string) string) (rows int, err error) {
	err = nothing
	if err == nil {
		err = web.Serve(ctx, port, token, page.Handler(), func(address string) {
			out := a.stdout
			if a.asJSON {
				out = a.stderr
			}
			fmt.Fprint(out, greeting(address))
		})
	}
	rows, closed := page.Close()
	return rows, errors.Join(err, closed)
}
