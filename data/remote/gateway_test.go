//go:build linux

package remote

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// The server is the S3 gateway of Versity over a folder. It is built into a place of its own, and
// not named in go.mod.
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

// gateway starts a server until the test ends, and sets the environment as its users do. folder is
// where it keeps the objects of its bucket. It skips the test where there is no such server, and Go
// cannot build it.
func gateway(t *testing.T) (folder string) {
	t.Helper()
	must.Slow(t) // It starts a real S3 server.
	binary, err := gatewayBinary()
	if err != nil {
		t.Skipf("no S3 server to be had: %s: %v", gatewayModule, err)
	}
	root := t.TempDir()
	folder = filepath.Join(root, "bucket")
	must.Succeed(t, os.Mkdir(folder, 0o777))
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := l.Addr().String()
	must.Succeed(t, l.Close())
	var log strings.Builder
	certificate, keyFile := certificates(t, root)
	server := exec.Command(binary, "--port", address, "--cert", certificate, "--key", keyFile, "posix", root)
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
			for name, value := range map[string]string{
				"SSL_CERT_FILE": certificate, "AWS_ENDPOINT_URL": "https://" + address, "AWS_ACCESS_KEY_ID": key,
				"AWS_SECRET_ACCESS_KEY": secret,
				"AWS_PROFILE":           "", "AWS_CONFIG_FILE": filepath.Join(root, "none"),
				"AWS_SHARED_CREDENTIALS_FILE": filepath.Join(root, "none"), "AWS_REGION": "", "AWS_DEFAULT_REGION": "",
			} {
				t.Setenv(name, value)
			}
			return folder
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the server does not answer: %s", log.String())
	return ""
}

// certificates are files with a certificate for this machine, and its key.
func certificates(t *testing.T, dir string) (certificate, key string) {
	example := httptest.NewTLSServer(nil)
	defer example.Close()
	pair := example.TLS.Certificates[0]
	secret := must.Get(x509.MarshalPKCS8PrivateKey(pair.PrivateKey))(t)
	certificate, key = filepath.Join(dir, "certificate.pem"), filepath.Join(dir, "key.pem")
	must.Write(t, certificate, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}))
	must.Write(t, key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
	return certificate, key
}

// client is what a user's command opens.
func client(t testing.TB) *bucket {
	t.Helper()
	return must.Get(open(Address{"bucket", "lakes/one"}))(t)
}

// The server does what the package counts on: of many who make one object, or replace one version
// of it, one succeeds.
func TestGatewayHonoursConditions(t *testing.T) {
	gateway(t)
	b := client(t)
	must.Succeed(t, b.honoursConditions(t.Context()))
	version := ""
	for round := range 15 {
		var won atomic.Int64
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				err := b.swap(t.Context(), listName, fmt.Appendf(nil, "round %d by %d", round, i), version)
				if err == nil {
					won.Add(1)
				} else if !errors.Is(err, errChanged) {
					t.Error(err)
				}
			})
		}
		group.Wait()
		expect.Equal(t, won.Load(), 1, round)
		version = must.Get(b.client.StatObject(t.Context(), b.Bucket, b.key(listName), minio.StatObjectOptions{}))(t).ETag
	}
}

// A lake goes there and back, with a file that travels in parts; what is there is plain Parquet in
// the server's folder.
func TestGatewayPushAndPull(t *testing.T) {
	folder := gateway(t)
	dir := newLake(t, bank("x", "a=what?"), score("p", "a=correct"),
		unit{"ingest/images", "i", []string{"one=picture"}}, large())
	mart(t, dir, "a mart")
	b := client(t)
	b.part = 5 << 20 // the least that S3 takes
	done := push(t, b, dir)
	if done.Files != 4*2+2 || done.Bytes < 5<<20 {
		t.Errorf("pushed %+v", done)
	}
	expect.Equal(t, push(t, client(t), dir).Files, 0)
	into := filepath.Join(t.TempDir(), "lake")
	pull(t, client(t), into)
	expect.Equal(t, rowsIn(t, into) == rowsIn(t, dir), true) // The rows are too long to be shown.
	files, err := filepath.Glob(filepath.Join(folder, "lakes/one/questions/ingest-bank-x-*.parquet"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	rows, err := parquet.ReadFile[struct {
		Question string `parquet:"question"`
	}](files[0])
	if err != nil || len(rows) != 1 || rows[0].Question != "what?" {
		t.Errorf("%v, %v", rows, err)
	}
	// Parts that were left are swept, and so is what no commit names, once they are older than the
	// grace; the clock of a server's Date header may be a second behind the clock of its lists.
	change(t, dir, bank("x", "a=3"))
	push(t, client(t), dir)
	left := fileOf("questions", bank("y").stem(), data.FileDigest{SHA256: strings.Repeat("0", 64)})
	must.Get(b.client.NewMultipartUpload(t.Context(), b.Bucket, b.key(left.Name), minio.PutObjectOptions{}))(t)
	if done, err := client(t).sweep(t.Context(), time.Hour); err != nil || done.Objects+done.Uploads > 0 {
		t.Errorf("young: %+v, %v", done, err)
	}
	if done, err := client(t).sweep(t.Context(), -time.Minute); err != nil || done.Uploads != 1 || done.Objects != 2 {
		t.Errorf("old: %+v, %v", done, err)
	}
	expect.Equal(t, pulled(t, client(t)), rowsIn(t, dir), "readers see other rows after a sweep")
}

// large is a unit of a file of some MB.
func large() unit {
	draw := rand.New(rand.NewPCG(3, 4))
	text := make([]byte, 300_000)
	var rows []string
	for i := range 26 {
		for j := range text {
			text[j] = byte('0' + draw.IntN(75))
		}
		rows = append(rows, fmt.Sprintf("%d=%s", i, text))
	}
	return bank("large", rows...)
}

func TestMain(m *testing.M) {
	minio.DefaultRetryUnit = time.Millisecond
	os.Exit(m.Run())
}

// Ten push their shares of a run at once to a real server, and nothing is lost.
func TestGatewayManyPushers(t *testing.T) {
	gateway(t)
	manyPushers(t, 10, func() *bucket { return client(t) })
}

// What goes wrong says nothing of the secret, which a user without the right one learns to look
// for.
func TestGatewayWrongSecret(t *testing.T) {
	gateway(t)
	t.Setenv("AWS_SECRET_ACCESS_KEY", "another secret that nothing may print")
	_, err := pullLake(t.Context(), client(t), filepath.Join(t.TempDir(), "lake"), PullOptions{})
	laketest.Hint(t, err, "AWS_SECRET_ACCESS_KEY")
	expect.Lacks(t, fmt.Sprintf("%v %+v", err, err), "nothing may print")
}
