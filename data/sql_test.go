package data_test

import (
	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
)

// Package analytics, which answers the queries of lakes, imports data.
func init() { data.SQL = analytics.Read }
