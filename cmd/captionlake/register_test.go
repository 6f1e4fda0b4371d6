package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/remote/remotetest"
)

// What register puts into a catalog reads, in other engines, as the lake's own files do: every row, every column, lists included. Catalogs are
// SQLite's, and a server that others have written; files are the lake's own, and those of a lake that was pushed.
func TestRegisteredTablesAreRead(t *testing.T) {
	laketest.Slow(t, "installs pyiceberg and Spark from PyPI and Iceberg's runtime and server from Maven, and starts an S3 server")
	binary, err := exec.LookPath("captionlake") // testscript.Main puts the program on the path.
	must.Succeed(t, err)
	folder := t.TempDir()
	check := func(t *testing.T, arguments ...string) {
		t.Helper()
		runScript(t, filepath.Join("..", "..", "data", "iceberg", "check.py"), append([]string{"--program", binary, "--folder", folder}, arguments...)...)
	}
	t.Run("pyiceberg", func(t *testing.T) { check(t, "--engine", "pyiceberg") })
	t.Run("spark", func(t *testing.T) { check(t, "--engine", "spark") })
	t.Run("pushed", func(t *testing.T) {
		remotetest.Start(t)
		check(t, "--engine", "pyiceberg", "--files", "s3://bucket/lakes/demo")
	})
	t.Run("REST", func(t *testing.T) {
		check(t, "--engine", "pyiceberg", "--catalog", restCatalog(t, "CATALOG_WAREHOUSE=file://"+filepath.Join(folder, "warehouse")))
	})
	t.Run("REST and pushed", func(t *testing.T) {
		_, url := remotetest.Start(t)
		address := restCatalog(t, "CATALOG_WAREHOUSE=s3://bucket/warehouse", "CATALOG_IO__IMPL=org.apache.iceberg.aws.s3.S3FileIO",
			"CATALOG_S3_ENDPOINT="+url, "CATALOG_S3_PATH__STYLE__ACCESS=true", "AWS_REGION=us-east-1")
		check(t, "--engine", "pyiceberg", "--files", "s3://bucket/lakes/demo", "--catalog", address)
	})
}

// restCatalog starts the Iceberg project's own REST catalog until the test ends, or skips the test where it cannot be had.
func restCatalog(t *testing.T, environment ...string) (address string) {
	t.Helper()
	cache, err := os.UserCacheDir()
	must.Succeed(t, err)
	jars := filepath.Join(cache, "captionlake-test", "iceberg-rest-server-1")
	maven := exec.CommandContext(t.Context(), "mvn", "--quiet", "--batch-mode", "--file", filepath.Join("..", "..", "data", "iceberg", "rest-server.xml"), "dependency:copy-dependencies", "-DoutputDirectory="+jars)
	if out, err := maven.CombinedOutput(); err != nil {
		t.Skipf("the REST catalog cannot be had from Maven: %v: %.500s", err, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	port := listener.Addr().(*net.TCPAddr).Port
	must.Succeed(t, listener.Close())
	var log strings.Builder
	server := exec.Command("java", "-classpath", filepath.Join(jars, "*"), "org.apache.iceberg.rest.RESTCatalogServer")
	server.Env = append(append(os.Environ(), environment...), fmt.Sprint("CATALOG_REST_PORT=", port),
		"CATALOG_URI=jdbc:sqlite:"+filepath.Join(t.TempDir(), "catalog.db"), "CATALOG_JDBC_SCHEMA__VERSION=V1")
	server.Stdout, server.Stderr = &log, &log
	if err := server.Start(); err != nil {
		t.Skipf("the REST catalog needs Java: %v", err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		if t.Failed() {
			t.Logf("the server's log ends with %s", log.String()[max(0, log.Len()-4000):])
		}
	})
	address = fmt.Sprint("http://127.0.0.1:", port)
	for range 300 {
		if answer, err := http.Get(address + "/v1/config"); err == nil {
			_ = answer.Body.Close()
			return address
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the REST catalog does not answer")
	return ""
}
