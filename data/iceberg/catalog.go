package iceberg

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	ice "github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	_ "github.com/apache/iceberg-go/catalog/rest" // catalogs behind http and https
	icesql "github.com/apache/iceberg-go/catalog/sql"
	"github.com/apache/iceberg-go/io"
	_ "github.com/apache/iceberg-go/io/gocloud/s3" // warehouses in object storage
	"github.com/apache/iceberg-go/utils"
	"github.com/aws/aws-sdk-go-v2/aws"
	_ "github.com/mattn/go-sqlite3" // the driver of catalogs in a file

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/remote"
)

// The default name of a catalog, and the default namespace of its tables.
const (
	DefaultName      = "captionlake"
	DefaultNamespace = "captionlake"
)

// A Catalog names the Iceberg catalog to register in, by the terms of Iceberg's own tools.
type Catalog struct {
	Name       string            // DefaultName when empty; a SQL catalog keeps the tables of each name apart
	URI        string            // sqlite:///FILE, or the address of a REST catalog; empty for a file in the lake
	Warehouse  string            // where the catalog keeps metadata, or what it calls its warehouse; empty for a folder in the lake, or the catalog's own
	Properties map[string]string // what else the catalog is to know, such as scope or prefix
	Secrets    map[string]string // properties, such as token or credential, by the environment variables that hold them
}

// The scheme of a SQLite catalog, as SQLAlchemy and pyiceberg write it: three slashes before a relative path, four before an absolute one.
const sqlitePrefix = "sqlite:///"

// secretProperty is what the name of a property says that is not to be written down.
var secretProperty = regexp.MustCompile(`(?i)(^|[.-])(token|credential|password|secret|[a-z-]*secret-[a-z-]*|session-token|signing-key)$`)

// Check reports what is wrong with a catalog before anything is asked of it.
func (c Catalog) Check() error {
	sqlite := c.URI == "" || strings.HasPrefix(c.URI, sqlitePrefix)
	if !sqlite && !strings.HasPrefix(c.URI, "http://") && !strings.HasPrefix(c.URI, "https://") {
		return data.WithHint(fmt.Errorf("%q is not the address of a catalog that captionlake knows", c.URI),
			"write sqlite:///FILE for a file, or the http or https address of a REST catalog")
	}
	if address, err := url.Parse(c.URI); err == nil && address.User != nil {
		return data.WithHint(errors.New("the address of the catalog has a name or a password in it"), "leave it out, and give it as --secret credential=VARIABLE")
	}
	for _, key := range slices.Sorted(maps.Keys(c.Properties)) {
		if secretProperty.MatchString(key) {
			return data.WithHint(fmt.Errorf("the property %s is a secret and must not be written here", key),
				"put it into an environment variable and name that: --secret %s=VARIABLE", key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Secrets)) {
		if os.Getenv(c.Secrets[key]) == "" {
			// The name is not repeated: it may be the secret, where somebody wrote that.
			return data.WithHint(fmt.Errorf("the environment variable that is to hold the catalog's %s is not set", key), "set the variable that --secret %s=VARIABLE, or the configuration, names", key)
		}
	}
	return nil
}

// An openCatalog is a catalog that was reached. It is closed after use.
type openCatalog struct {
	catalog.Catalog
	properties ice.Properties // what storage is reached with, too
	storage    *aws.Config    // nil when it cannot be read
	secrets    []string
	close      func() error
}

// reach has the library find object storage as push does.
func (c *openCatalog) reach(ctx context.Context) context.Context {
	if c.storage == nil {
		return ctx
	}
	return utils.WithAwsConfig(ctx, c.storage)
}

// open reaches the catalog. root is the lake's absolute folder. A file that is not there is made, unless the catalog is only to be looked at.
func (o Options) open(ctx context.Context, root string) (*openCatalog, error) {
	c := o.Catalog
	if err := c.Check(); err != nil {
		return nil, err
	}
	properties := ice.Properties{}
	maps.Copy(properties, c.Properties)
	opened := &openCatalog{properties: properties, close: func() error { return nil }}
	for key, variable := range c.Secrets {
		properties[key] = os.Getenv(variable)
		opened.secrets = append(opened.secrets, properties[key])
	}
	name, rest := cmp.Or(c.Name, DefaultName), strings.HasPrefix(c.URI, "http")
	warehouse := c.Warehouse
	if warehouse == "" && o.Files != (remote.Address{}) {
		warehouse = o.Files.String() + "/" + warehouseFolder
	}
	// Tables of a REST catalog, and those that were registered elsewhere, may be in object storage, too.
	if cfg, endpoint, err := remote.Configuration(ctx); err == nil {
		opened.storage = &cfg
		if endpoint != "" && properties[io.S3EndpointURL] == "" {
			properties[io.S3EndpointURL] = endpoint
		}
	} else if strings.HasPrefix(warehouse, "s3") {
		return nil, err
	}
	ctx = opened.reach(ctx)
	if rest {
		properties["type"], properties["uri"] = "rest", c.URI
		if c.Warehouse != "" {
			properties["warehouse"] = c.Warehouse
		}
		reached, err := catalog.Load(ctx, name, properties)
		if err != nil {
			return nil, data.WithHint(opened.safe(fmt.Errorf("catalog %s: %w", c.URI, err)), "check the address, the warehouse and the credentials; captionlake register --help says how they are given")
		}
		opened.Catalog = reached
		if closer, ok := reached.(catalog.Closer); ok {
			opened.close = closer.Close
		}
		return opened, nil
	}
	file := filepath.Join(root, filepath.FromSlash(catalogFile))
	if c.URI != "" {
		file = strings.TrimPrefix(c.URI, sqlitePrefix)
	}
	properties["warehouse"] = cmp.Or(warehouse, "file://"+filepath.ToSlash(filepath.Join(root, filepath.FromSlash(warehouseFolder))))
	source := file + "?_busy_timeout=10000" // Another process may be committing to the catalog: SQLite waits for it.
	if _, err := os.Stat(file); o.DryRun && errors.Is(err, fs.ErrNotExist) {
		source = "file:captionlake?mode=memory&cache=shared"
	} else if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite3", source)
	if err != nil {
		return nil, err
	}
	reached, err := icesql.NewCatalog(name, db, icesql.SQLite, properties)
	if err != nil {
		return nil, errors.Join(data.WithHint(fmt.Errorf("catalog %s: %w", file, err), "name a SQLite file that can be written, or a new one, with --catalog %sFILE", sqlitePrefix), db.Close())
	}
	opened.Catalog = reached
	opened.close = func() error { return errors.Join(reached.Close(), db.Close()) }
	return opened, nil
}

// safe is an error whose text has no secret of the catalog: servers and libraries repeat what they were sent.
func (c *openCatalog) safe(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, secret := range c.secrets {
		for _, part := range append(strings.SplitN(secret, ":", 2), secret) { // A credential is an id and a secret.
			if part != "" {
				text = strings.ReplaceAll(text, part, "***")
			}
		}
	}
	return &safeError{text, err}
}

// A safeError is an error with another text.
type safeError struct {
	text string
	err  error
}

func (e *safeError) Error() string { return e.text }

func (e *safeError) Unwrap() error { return e.err }
