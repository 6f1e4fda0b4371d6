package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Spark says how analyze --engine spark starts Spark and where Spark sees the lake.
type Spark struct {
	Command     string            `yaml:"command"`     // program; spark-sql, found on PATH, when empty
	Master      string            `yaml:"master"`      // such as yarn or spark://host:7077; local[*] when empty
	Arguments   []string          `yaml:"arguments"`   // of spark-sql, such as --executor-memory and 8g
	Environment map[string]string `yaml:"environment"` // variables for it, beside those of captionlake, which it inherits
	Lake        string            `yaml:"lake"`        // the lake's folder as the cluster sees it, such as s3a://bucket/lake; its own path when empty
	Results     string            `yaml:"results"`     // the folder of --export as the cluster sees it; its own path when empty
}

// secretForm is a variable that is likely to hold a secret.
var secretForm = regexp.MustCompile(`(?i)secret|token|password|passwd|credential|_key$`)

// spark checks the section.
func (k *Check) spark() {
	s := k.Config.Spark
	for _, name := range slices.Sorted(maps.Keys(s.Environment)) {
		if name == "" || strings.ContainsAny(name, "= ") {
			k.Fault("spark.environment", "%q is not the name of an environment variable", name)
		} else if secretForm.MatchString(name) {
			k.Fault("spark.environment."+name, "secrets are not kept in a configuration: set %s in the environment of captionlake, which Spark inherits", name)
		}
	}
	for i, a := range s.Arguments {
		if a == "-f" || a == "-e" || a == "--master" {
			k.Fault(fmt.Sprintf("spark.arguments[%d]", i), "%s is given by captionlake: leave it out; the master is spark.master", a)
		}
	}
}
