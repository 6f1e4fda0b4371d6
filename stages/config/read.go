package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/captionlake/captionlake/data"
)

// Read reads a configuration and has it checked: by this package, and by sections, which may be empty. Its error names the
// line and column of every fault.
func Read(path string, sections ...func(*Check)) (Config, error) {
	content, err := data.ReadInput(path, maxBytes)
	if errors.Is(err, os.ErrNotExist) {
		return Config{}, data.WithHint(fmt.Errorf("there is no configuration %s", path), "write one with: captionlake init")
	}
	if err != nil {
		return Config{}, err
	}
	return Parse(path, content, sections...)
}

// maxBytes bounds a configuration, which is parsed whole. A long one has a few KiB.
const maxBytes = 256 << 10

// Parse is Read of a content; path is for messages.
func Parse(path string, content []byte, sections ...func(*Check)) (Config, error) {
	var fault *data.YAMLFault
	if err := data.CheckYAML(content, maxBytes); errors.As(err, &fault) {
		return Config{}, configHint(fmt.Errorf("%s:%w", path, fault))
	}
	c, file, err := decodeConfig(content)
	if err != nil {
		var located yaml.Error
		if errors.As(err, &located) && located.GetToken() != nil {
			p := located.GetToken().Position
			return c, configHint(fmt.Errorf("%s:%d:%d: %s", path, p.Line, p.Column, yamlMessage(located)))
		}
		return c, configHint(fmt.Errorf("%s: %w", path, err))
	}
	c.Fill()
	check := Check{Config: &c, path: path, file: file}
	check.servers()
	for _, section := range sections {
		section(&check)
	}
	return c, configHint(errors.Join(check.faults...))
}

// yamlMessage words an error of the YAML library for people who do not know Go.
func yamlMessage(err yaml.Error) string {
	var mismatch *yaml.TypeError
	if !errors.As(err, &mismatch) {
		return err.GetMessage()
	}
	switch mismatch.DstType.Kind() {
	case reflect.Int, reflect.Int64:
		return "a whole number belongs here"
	case reflect.Float64:
		return "a number belongs here"
	case reflect.Bool:
		return "true or false belongs here"
	case reflect.String:
		return "a text belongs here"
	}
	return err.GetMessage()
}

// decodeConfig reads the YAML and its syntax tree. The library panics at some malformed documents, such as a tag
// without a value; a user's file must not end the program.
func decodeConfig(content []byte) (c Config, file *ast.File, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = errors.New("this YAML cannot be read: leave tags, anchors and other rare forms out")
		}
	}()
	if err := yaml.NewDecoder(bytes.NewReader(content), yaml.Strict()).Decode(&c); err != nil && !errors.Is(err, io.EOF) {
		return c, nil, err
	}
	file, err = parser.ParseBytes(content, 0)
	if err == nil && len(file.Docs) > 1 {
		err = &yaml.SyntaxError{Message: "a second document begins here, which nothing reads: remove the line", Token: file.Docs[1].Start}
	}
	return c, file, err
}

func configHint(err error) error {
	return data.WithHint(err, "compare with a fresh configuration: captionlake init --print-config")
}
