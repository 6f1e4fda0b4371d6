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

// Serve answers on the loopback interface until ctx ends; then requests under way are finished.
// Port 0 is any free port. It calls started with the address to open, including the token.
func Serve(ctx context.Context, port int, token string, h http.Handler, started func(address string)) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return data.WithHint(fmt.Errorf("serve the page: %w", err),
			"name another port with --port, or --port 0 for any free one")
	}
	server := &http.Server{
		Handler:           Protect(h, token),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      time.Minute, // for a large picture through a slow tunnel
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
	}
	started((&url.URL{Scheme: "http", Host: listener.Addr().String(),
		Path: "/", RawQuery: tokenField + "=" + url.QueryEscape(token)}).String())
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve the page: %w", err)
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := server.Shutdown(ending); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("serve the page: %w", err)
	}
	return server.Close()
}
