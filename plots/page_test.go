package plots

import (
	"errors"
	"strings"
	"testing"
)

// Type that is too small for print is found.
func TestSmallType(t *testing.T) {
	faults := checkLabels([]Label{{Text: "tiny", Size: 5}}, 100, 100)
	if err := errors.Join(faults...); err == nil || !strings.Contains(err.Error(), `"tiny" is set in 5.0 points; 6 are the least`) {
		t.Errorf("faults: %v", faults)
	}
}
