package plots

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// funnelTable has the steps of one domain, but for those left out.
func funnelTable(t *testing.T, without ...string) *Table {
	t.Helper()
	m := table(t, "construct_funnel", []string{"domain", "provenance", "step", "n_candidates", "n_waiting", "share"})
	for i, s := range funnelSteps {
		if strings.Contains(strings.Join(without, " "), s.step) {
			continue
		}
		waiting := 0
		if s.step == "published" {
			waiting = 20
		}
		must.Succeed(t, m.Append("Kitchen", "simulated", s.step, 100-10*i, waiting, float64(100-10*i)/2))
	}
	return m
}

func TestConstructFunnel(t *testing.T) {
	labels := textsOf(t, "construct_funnel", Tables{"construct_funnel": funnelTable(t)})
	inOrder(t, labels, "Kitchen: generated", "100", "well-formed", "90 (45.0 %)", "distinct", "accepted by validators", "in the bank", "30 (15.0 %)")
	if !strings.Contains(strings.Join(labels, "\n"), "waits for this step") {
		t.Errorf("nothing says what waits: %q", labels)
	}
	if _, err := figureNamed(t, "construct_funnel").Draw(Tables{"construct_funnel": funnelTable(t, "distinct")}, Page{}); err == nil || !strings.Contains(err.Error(), "no row is about distinct of Kitchen") {
		t.Errorf("%v", err)
	}
}
