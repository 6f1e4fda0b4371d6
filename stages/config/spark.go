package config

import (
	"fmt"
	"slices"
)

// Spark says how analyze --engine spark starts Spark and where Spark sees the lake.
type Spark struct {
	Command   string   `yaml:"command"`   // program; empty for spark-sql, found on PATH
	Arguments []string `yaml:"arguments"` // of spark-sql, such as --master and yarn; without --master, local[*] is used
	// the cluster's path of the lake's folder, such as s3a://bucket/lake; empty if it is the same here
	Lake    string `yaml:"lake"`
	Results string `yaml:"results"` // the cluster's path of the folder of --export; empty if it is the same here
}

// spark checks the section.
func (k *Check) spark() {
	for i, a := range k.Config.Spark.Arguments {
		if slices.Contains([]string{"-f", "-e"}, a) {
			k.Fault(fmt.Sprintf("spark.arguments[%d]", i), "%s is given by captionlake: leave it out", a)
		}
	}
}
