package ingest

import (
	"go.yaml.in/yaml/v3"

	"github.com/captionlake/captionlake/data/strictyaml"
)

// parseYAMLTree reads one YAML document. Its errors are [strictyaml.Fault].
func parseYAMLTree(content []byte) (node, error) {
	root, err := strictyaml.Parse(content, maxTaxonomyBytes)
	if err != nil {
		return node{}, err
	}
	return yamlTree(root), nil
}

func yamlTree(n *yaml.Node) node {
	v := node{at: pos{n.Line, n.Column}}
	switch {
	case n.Kind == yaml.SequenceNode:
		v.kind = kindArray
		for _, item := range n.Content {
			v.items = append(v.items, yamlTree(item))
		}
	case n.Kind == yaml.MappingNode:
		v.kind = kindObject
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			v.fields = append(v.fields, field{key.Value, pos{key.Line, key.Column}, yamlTree(n.Content[i+1])})
		}
	case n.Tag != "!!null":
		// YAML takes unquoted words such as 42 or yes for other types; here they are the words that were written.
		v.kind, v.text = kindString, n.Value
	}
	return v
}
