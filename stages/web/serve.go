package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/captionlake/captionlake/data"
)

// grace is how long requests may take after the server is told to stop.
const grace = 5 * time.Second

// Listen answers on an address until ctx ends. Then it finishes the requests under way, and cuts
// off requests that take longer than grace. Port 0 is any free port. Listen calls started with the
// address that the server has got.
func Listen(ctx context.Context, address string, h http.Handler, started func(net.Addr)) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return data.Errorf("name another port, or port 0 for any free one", "serve: %w", err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 32 << 10}
	started(listener.Addr())
	stopped := make(chan error, 1) // has room, because nobody receives if Serve fails by itself
	context.AfterFunc(ctx, func() {
		// ctx has ended already, and would end Shutdown at once.
		inTime, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		stopped <- errors.Join(server.Shutdown(inTime), server.Close())
	})
	err = server.Serve(listener)
	if errors.Is(err, http.ErrServerClosed) { // Serve returns at the start of Shutdown.
		err = <-stopped
	}
	// DeadlineExceeded says that requests were cut off after grace, which is no error.
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// Serve answers on the loopback interface, and only to browsers with the token (see Protect). It
// calls started with the address for people to open, which includes the token.
func Serve(ctx context.Context, port int, token string, h http.Handler, started func(address string)) error {
	return Listen(ctx, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Protect(h, token), func(at net.Addr) {
		started((&url.URL{Scheme: "http", Host: at.String(), Path: "/",
			RawQuery: tokenField + "=" + url.QueryEscape(token)}).String())
	})
}
