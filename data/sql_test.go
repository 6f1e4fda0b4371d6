package data_test

import (
	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
)

// Package analytics, which answers the queries of lakes, imports data.
func init() { data.SQL = ask.Read }
