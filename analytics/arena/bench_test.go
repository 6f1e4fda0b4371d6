package arena

import (
	"fmt"
	"syscall"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// BenchmarkArena is an arena of the paper's size: 6,522 battles of 15 players over as many images as the battles of the parity cases have
// for theirs (3.5 votes an image), two cores.
func BenchmarkArena(b *testing.B) {
	of := tournament(b, playerNames(15), simulated{players: 15, images: 1881, votes: 3, spread: 2, tie: 0.4, luck: 0.2, length: 0.2}.battles(1))
	of.battles = append(of.battles, of.battles[:6522-len(of.battles)%6522]...)[:6522]
	benchmarkAll(b, of)
}

// BenchmarkMillion is a million battles: of 100,000 images with ten each, and each of an image of its own.
func BenchmarkMillion(b *testing.B) {
	for _, votes := range []int{10, 1} {
		b.Run(fmt.Sprintf("votes=%d", votes), func(b *testing.B) {
			benchmarkAll(b, tournament(b, playerNames(15), simulated{players: 15, images: 1_000_000 / votes, votes: votes, spread: 2, tie: 0.4, luck: 0.2}.battles(1)))
		})
	}
}

func benchmarkAll(b *testing.B, of *Tournament) {
	b.Run("elo", func(b *testing.B) {
		for b.Loop() {
			of.Elo()
		}
	})
	b.Run("elo_1000_bootstraps", func(b *testing.B) {
		defer reportProcessor(b)()
		for b.Loop() {
			if _, err := of.BootstrapElo(b.Context(), 1000, 1); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, m := range []struct {
		name  string
		model Model
	}{{"bradley_terry", Model{}}, {"weighted", Model{Weighted: true}}, {"davidson", Model{Ties: true}}, {"style", Model{Length: true}}} {
		if m.model.Length && len(of.battles) > 100_000 {
			continue
		}
		b.Run(m.name, func(b *testing.B) {
			for b.Loop() {
				fit(b, of, m.model)
			}
		})
		b.Run(m.name+"_1000_draws", func(b *testing.B) {
			defer reportProcessor(b)()
			for b.Loop() {
				fit(b, of, m.model).Draw(1000, 1).Ranks(0)
			}
		})
	}
}

// BenchmarkGrowth has more and more battles, and more and more players.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("battles=%d", n), func(b *testing.B) {
			of := tournament(b, playerNames(15), simulated{players: 15, images: n / 3, votes: 3, spread: 2, tie: 0.4}.battles(1))
			growth(b, of)
		})
	}
	for _, n := range []int{15, 60, 240} {
		b.Run(fmt.Sprintf("players=%d", n), func(b *testing.B) {
			growth(b, tournament(b, playerNames(n), simulated{players: n, images: 20_000, votes: 3, spread: 2, tie: 0.4}.battles(1)))
		})
	}
}

// reportProcessor reports the processor time of an operation, on all cores, which other work on the machine moves less than the clock.
func reportProcessor(b *testing.B) func() {
	used := func() int64 {
		var u syscall.Rusage
		must.Succeed(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		return u.Utime.Nano() + u.Stime.Nano()
	}
	before := used()
	return func() { b.ReportMetric(float64(used()-before)/1e6/float64(b.N), "cpu-ms/op") }
}

func growth(b *testing.B, of *Tournament) {
	defer reportProcessor(b)()
	for b.Loop() {
		if _, err := of.BootstrapElo(b.Context(), 100, 1); err != nil {
			b.Fatal(err)
		}
		fit(b, of, Model{}).Draw(100, 1)
	}
}
