// Package remotetest starts a real S3 server for tests. It must know nothing of lakes.
package remotetest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/must"
)

// The server is the S3 gateway of Versity over a folder. It is built into a place of its own, and not named in go.mod.
const gatewayModule = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"

// gatewayBinary builds the gateway once for all runs of the tests, or skips.
var gatewayBinary = sync.OnceValues(func() (string, error) {
	if path, err := exec.LookPath("versitygw"); err == nil {
		return path, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "captionlake-test", strings.NewReplacer("/", "_", "@", "_").Replace(gatewayModule))
	path := filepath.Join(dir, "versitygw")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	build := exec.Command("go", "install", gatewayModule)
	build.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
	build.Dir = os.TempDir() // outside of this module
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %.300s", err, out)
	}
	return path, nil
})

// The credentials of the server.
const (
	key    = "AKIAOFTHETEST"
	secret = "a secret that nothing may print"
)

// Start starts a server until the test ends, and sets the environment as its users do. folder is where it keeps the objects of its bucket, which
// is called bucket. It skips the test where there is no such server, and Go cannot build it.
func Start(t *testing.T) (folder, url string) {
	t.Helper()
	binary, err := gatewayBinary()
	if err != nil {
		t.Skipf("no S3 server to be had: %s: %v", gatewayModule, err)
	}
	root := t.TempDir()
	folder = filepath.Join(root, "bucket")
	must.Succeed(t, os.Mkdir(folder, 0o777))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	address := l.Addr().String()
	must.Succeed(t, l.Close())
	var log strings.Builder
	server := exec.Command(binary, "--port", address, "posix", root)
	server.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+key, "ROOT_SECRET_KEY="+secret)
	server.Stdout, server.Stderr = &log, &log
	must.Succeed(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	for range 100 {
		if c, err := net.Dial("tcp", address); err == nil {
			must.Succeed(t, c.Close())
			url = "http://" + address
			for name, value := range map[string]string{
				"AWS_ENDPOINT_URL": url, "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret, "AWS_EC2_METADATA_DISABLED": "true",
				"AWS_PROFILE": "", "AWS_CONFIG_FILE": filepath.Join(root, "none"), "AWS_SHARED_CREDENTIALS_FILE": filepath.Join(root, "none"), "AWS_REGION": "", "AWS_DEFAULT_REGION": "",
			} {
				t.Setenv(name, value)
			}
			return folder, url
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the server does not answer: %s", log.String())
	return "", ""
}
