package config

import (
	"fmt"
	"slices"
)

// Spark says how analyze --engine spark starts Spark and where Spark sees the lake.
type Spark struct {
	Command   string   `yaml:"command"`   // program; spark-sql, found on PATH, when empty
	Arguments []string `yaml:"arguments"` // of spark-sql, such as --master and yarn; local[*] unless they name a master
	Lake      string   `yaml:"lake"`      // the lake's folder as the cluster sees it, such as s3a://bucket/lake; its own path when empty
	Results   string   `yaml:"results"`   // the folder of --export as the cluster sees it; its own path when empty
}

// spark checks the section.
func (k *Check) spark() {
	for i, a := range k.Config.Spark.Arguments {
		if slices.Contains([]string{"-f", "-e"}, a) {
			k.Fault(fmt.Sprintf("spark.arguments[%d]", i), "%s is given by captionlake: leave it out", a)
		}
	}
}
