package config

import (
	"errors"
	"os"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/strictyaml"
)

// Read reads and checks a configuration. sections are functions of the stages: each checks its
// stage's section of the configuration. The error names the line and column of every fault.
func Read(path string, sections ...func(*Check)) (Config, error) {
	content, err := data.ReadInput(path, maxBytes)
	if errors.Is(err, os.ErrNotExist) {
		return Config{}, data.Errorf("write one with: captionlake init", "there is no configuration %s", path)
	}
	if err != nil {
		return Config{}, err
	}
	return Parse(path, content, sections...)
}

// maxBytes bounds a configuration, which is parsed whole. A long configuration has a few KiB.
const maxBytes = 256 << 10

// Parse is Read for a given content; path is for messages.
func Parse(path string, content []byte, sections ...func(*Check)) (Config, error) {
	c := Default()
	document, err := strictyaml.Read(path, content, maxBytes, &c)
	if err != nil {
		return c, configHint(err)
	}
	c.tidy()
	check := Check{Config: &c, document: document}
	check.common() // before the sections, because it collects the models that they check
	for _, section := range sections {
		section(&check)
	}
	return c, configHint(errors.Join(check.faults...))
}

// configHint adds to an error the hint that fits every fault of a configuration.
func configHint(err error) error {
	return data.WithHint(err, "compare with a fresh configuration: captionlake init --print-config")
}
