package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
)

// A Runner carries the stages of a list out, as far as a choice wants them: live, offline, or as a dry run.
type Runner struct {
	Lake        *data.Lake
	Config      *config.Config // narrowed by the choice
	Choice      config.Choice
	Stages      []Stage
	RetryFailed bool             // ask again what failed or was truncated
	Replace     bool             // ask again what was asked under other settings
	Limit       int              // requests of each unit that are asked at most, further attempts not counted; 0 is all
	Part        Part             // share of the run that is asked
	Progress    func(Progress)   // told after every item; nil for none; called from one goroutine at a time
	Now         func() time.Time // nil is time.Now
	Held        int              // items held back before recorded replies are read; 0 is 50,000
	Connect     func(config.Endpoint) (Client, error)

	mu      sync.Mutex // guards clients and drained
	clients map[string]Client
	drained bool

	met     map[string]bool // endpoints that have been asked something
	spent   spending
	indexes map[string]*callIndex // by model_id
	seen    int                   // units committed by other processes that the indexes have
	memory  *memory
	media   *Media
	kept    map[string][]keptOutcome // by the name of the unit
}

// New prepares a run of stages as a configuration and a choice want it.
func New(l *data.Lake, stages []Stage, c *config.Config, o config.Choice) *Runner {
	narrowed := c.Narrow(o)
	return &Runner{Lake: l, Stages: stages, Config: &narrowed, Choice: o}
}

// Run carries the units out, those of a stage when the stages before it are done: it asks what is pending, records the
// calls and makes the rows. An interrupted run keeps what came back. The reports are those of the units up to the error.
//
// A unit that another process is working on comes last in its stage. If it is still under way then it is left to that process, and its
// report says so.
func (r *Runner) Run(ctx context.Context) ([]Report, error) {
	reports := []Report{} // in JSON a list, too, when it is empty
	err := r.each(false, func(u *unit, s *Scope, last bool) error {
		report, err := r.run(ctx, u, s)
		if errors.Is(err, data.ErrLocked) {
			if !last {
				return err
			}
			report.Note, err = fmt.Sprintf("%v; it is left to that process: run the same command again when that has finished", err), nil
		}
		reports = append(reports, report)
		return err
	})
	return reports, errors.Join(err, r.remember())
}

// Drain lets the requests under way come back and asks no more. It may be called from any goroutine, and more than once.
func (r *Runner) Drain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drained = true
	for _, c := range r.clients {
		c.Drain()
	}
}

// chosen are the stages of a run: those that a stage's or a track's name stands for, or all that run unasked.
func (r *Runner) chosen() []Stage {
	var all []Stage
	for _, s := range r.Stages {
		if name := r.Choice.Stage; s.Name == name || s.Track != "" && s.Track == name || name == "" && !s.Named {
			all = append(all, s)
		}
	}
	return all
}

// stage finds a stage by its name.
func (r *Runner) stage(name string) (Stage, error) {
	i := slices.IndexFunc(r.Stages, func(s Stage) bool { return s.Name == name })
	if i < 0 {
		return Stage{}, fmt.Errorf("there is no stage %q", name)
	}
	return r.Stages[i], nil
}

// check refuses a choice that nothing of the run would heed.
func (r *Runner) check() error {
	if err := r.Choice.Check(); err != nil {
		return err
	}
	if r.Choice.Stage == "" {
		return nil
	}
	chosen := r.chosen()
	if len(chosen) == 0 {
		return fmt.Errorf("there is no stage %q", r.Choice.Stage)
	}
	for _, flag := range r.Choice.Given() {
		if slices.ContainsFunc(chosen, func(s Stage) bool { return slices.Contains(s.Flags, flag) }) {
			continue
		}
		var others []string
		for _, s := range r.Stages {
			if slices.Contains(s.Flags, flag) {
				others = append(others, s.Name)
			}
		}
		return data.WithHint(fmt.Errorf("the stage %s does not know --%s", r.Choice.Stage, flag), "leave it out, or use it with: %s", strings.Join(others, ", "))
	}
	return nil
}

// each goes through the units of a run, stage by stage; ahead, through those about what the run has yet to make. It stops
// at the first error.
//
// A unit that do says is in use comes again after the others of its stage, for the last time.
func (r *Runner) each(ahead bool, do func(u *unit, s *Scope, last bool) error) error {
	if err := r.check(); err != nil {
		return err
	}
	units := 0
	var reason error // why the first of the stages without a unit has none
	for _, stage := range r.chosen() {
		// A stage that others feed is fed by a run of all stages; one that runs only when it is named feeds itself.
		if ahead && (!stage.Follows || r.Choice.Stage != "" && !stage.Named) {
			continue
		}
		s := &Scope{Lake: r.Lake, Config: r.Config, Choice: r.Choice, Ahead: ahead, runner: r, stage: stage.Name}
		all, err := stage.Units(s)
		if errors.Is(err, ErrNothingToAsk) && reason == nil {
			reason = err
		}
		if err != nil && !errors.Is(err, ErrNothingToAsk) {
			return err
		}
		units += len(all)
		var later []*unit
		for _, u := range all {
			one := u.erase(s)
			if err := do(one, s, false); errors.Is(err, data.ErrLocked) {
				later = append(later, one)
			} else if err != nil {
				return err
			}
		}
		for _, u := range later {
			if err := do(u, s, true); err != nil {
				return err
			}
		}
	}
	if units > 0 {
		return nil
	}
	if reason == nil {
		reason = data.WithHint(ErrNothingToAsk, "name models under captions, answers or judges in %s", config.File)
	}
	return reason
}

// walk begins to go through the items of a unit.
func (r *Runner) walk(u *unit, s *Scope, asks func(*plannedCall) bool) (*walk, error) {
	if err := r.catchUp(); err != nil {
		return nil, err
	}
	index := r.indexes[u.Model.ID]
	if index == nil {
		var err error
		if index, err = readIndex(r.Lake, u.Model.ID); err != nil {
			return nil, err
		}
		if r.indexes == nil || len(r.indexes) > 1 {
			r.indexes = map[string]*callIndex{}
		}
		r.indexes[u.Model.ID] = index
	}
	return newWalk(s, u, index, asks)
}

// catchUp notes which calls other processes have recorded since the indexes were read, so that none of them is asked again.
func (r *Runner) catchUp() error {
	units := r.Lake.Elsewhere(r.seen)
	r.seen += len(units)
	for _, stem := range units {
		for model, index := range r.indexes {
			if err := index.add(r.Lake, model, stem); err != nil {
				return err
			}
		}
	}
	if len(units) > 0 && r.memory != nil {
		clear(r.memory.tables)
	}
	return nil
}

// ended keeps what a walk leaves behind.
func (r *Runner) ended(w *walk) {
	w.stop()
	if !w.unit.Keep {
		return
	}
	if r.kept == nil {
		r.kept = map[string][]keptOutcome{}
	}
	r.kept[w.unit.Name] = w.kept
}

// pendingOnly asks, of the run's part, what is neither recorded whole nor, unless what failed is asked again, recorded at all.
func (r *Runner) pendingOnly(t *plannedCall) bool {
	return !t.was.settled(r.RetryFailed) && r.Part.has(t.picture)
}

// asks is which requests of a unit are asked: those that pendingOnly says, in the order of the plan up to the limit.
func (r *Runner) asks() func(*plannedCall) bool {
	if r.Limit == 0 {
		return r.pendingOnly
	}
	left := r.Limit
	return func(t *plannedCall) bool {
		if left == 0 || !r.pendingOnly(t) {
			return false
		}
		left--
		return true
	}
}

// Notes of units of which requests were left.
const (
	BeyondLimit = "requests beyond the limit stay pending: the same command goes on with them"
	OtherParts  = "requests of other parts stay pending: merge joins the lakes of all parts"
)

// run carries one unit out.
func (r *Runner) run(ctx context.Context, u *unit, s *Scope) (Report, error) {
	known, ok, err := r.recalled(u)
	if err != nil || ok {
		return Report{
			Stage: u.stage, Model: u.Model.ID, Rows: known.Rows, Note: u.Note,
			Summary: Summary{Unit: u.Name, Planned: known.Planned, Recorded: known.Planned, RecordedFailed: known.Failed},
		}, err
	}
	before := &preflight{unit: u, budget: r.Config.Budget, spent: &r.spent}
	a := &asking{workers: 1}
	if u.Model.ID != "" {
		if before.endpoint, err = r.Config.Endpoint(u.Model.Endpoint); err == nil {
			before.Client, err = r.client(before.endpoint)
		}
		if err != nil {
			return Report{Stage: u.stage, Model: u.Model.ID, Summary: Summary{Unit: u.Name}}, err
		}
		before.first = !r.met[before.endpoint.Name]
		a.caller, a.workers, a.parallel = before, before.endpoint.Workers(), before.Parallel
		a.writers = a.workers
		if !r.Replace {
			before.refuse = func() error { return a.walk.refusal(r.pendingOnly) }
		}
	}
	report, err := r.carryOut(ctx, u, s, a, r.asks(), func() any { return before.record(ctx, r.Config.Settings(u.Model.Served).Price) })
	if err != nil {
		return report, fmt.Errorf("%s %s: %w", u.stage, u.Name, resumable(err))
	}
	if before.facts != nil {
		if r.met == nil {
			r.met = map[string]bool{}
		}
		r.met[before.endpoint.Name] = true
	}
	report.Note = strings.Trim(before.note()+"\n"+u.Note, "\n")
	switch {
	case report.Planned == 0 && report.Rows == 0:
		report.Note = u.Idle
	case report.pending > 0 && r.Limit == 0:
		report.Note = strings.Trim(report.Note+"\n"+OtherParts, "\n")
	case report.pending > 0:
		report.Note = strings.Trim(report.Note+"\n"+BeyondLimit, "\n")
	}
	return report, nil
}

// carryOut asks what a walk gives out, records it, and commits calls and rows. It is the same whether a server answers or a
// file of replies.
func (r *Runner) carryOut(ctx context.Context, u *unit, s *Scope, a *asking, asks func(*plannedCall) bool, detail func() any) (done Report, err error) {
	done = Report{Stage: u.stage, Model: u.Model.ID, Summary: Summary{Unit: u.Name}}
	m, err := r.remembered()
	if err != nil {
		return done, err
	}
	plan, err := m.plan(u)
	if err != nil {
		return done, err
	}
	marks, err := m.states(u.Marks)
	if err != nil {
		return done, err
	}
	log, err := openLog(r.Lake, u, r.now(), detail)
	if err != nil {
		return done, err
	}
	defer log.close()
	w, err := r.walk(u, s, asks)
	if err != nil {
		return done, err
	}
	defer r.ended(w)
	if w.out, err = openResults(r.Lake, u); err != nil {
		return done, err
	}
	defer w.out.abort()
	if w.report, err = r.reporting(u, s); err != nil {
		return done, err
	}
	a.walk, a.log = w, log
	err = a.run(ctx)
	done.Summary = w.summary
	done.Unit, done.Rows, done.Cause, done.pending = u.Name, w.out.rows, commonest(w.causes), w.pending
	if err != nil {
		return done, err
	}
	// Calls and rows are written side by side, and the calls committed first: rows are made from them again, and they cost money.
	var calls error
	var writing sync.WaitGroup
	writing.Go(func() { calls = log.write() })
	rows := w.out.writeOut(append(marks, "outcomes/3", data.Version, w.digest.String())...)
	writing.Wait()
	if err := errors.Join(calls, rows); err != nil {
		return done, err
	}
	if err := log.commit(); err != nil {
		return done, err
	}
	if err := w.out.commit(); err != nil {
		return done, err
	}
	clear(m.tables)
	return done, m.complete(u, w, plan, done, r.seen)
}

// reporting tells the progress of a walk.
func (r *Runner) reporting(u *unit, s *Scope) (func(*walk), error) {
	if r.Progress == nil {
		return nil, nil
	}
	total, err := u.count(s)
	return func(w *walk) {
		sum := &w.summary
		r.Progress(Progress{u.stage, u.Name, w.finished, total, sum.Answered, sum.Failed, sum.Truncated, sum.Prompt + sum.Output})
	}, err
}

// outcomes are what came of the items of a unit of the same stage: of the walk of this run, or of what is recorded.
func (r *Runner) outcomes(s *Scope, of AnyUnit) ([]keptOutcome, error) {
	u := of.erase(s)
	if kept, ok := r.kept[u.Name]; ok {
		return kept, nil
	}
	w, err := r.walk(u, s, func(*plannedCall) bool { return false })
	if err != nil {
		return nil, err
	}
	err = w.all(func([]*plannedCall) error { return nil })
	r.ended(w)
	return r.kept[u.Name], err
}

func (r *Runner) mediaFiles() (*Media, error) {
	if r.media != nil {
		return r.media, nil
	}
	m, err := r.remembered()
	if err == nil {
		r.media, err = newMedia(r.Lake, r.Config.Media, m.Media)
	}
	return r.media, err
}

func (r *Runner) now() func() time.Time {
	if r.Now == nil {
		return time.Now
	}
	return r.Now
}

// client connects to an endpoint, once in a run.
func (r *Runner) client(e config.Endpoint) (Client, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.clients[e.Name]; ok {
		return c, nil
	}
	connect := r.Connect
	if connect == nil {
		connect = func(e config.Endpoint) (Client, error) { return e.Client() }
	}
	c, err := connect(e)
	if err != nil {
		return nil, err
	}
	if r.clients == nil {
		r.clients = map[string]Client{}
	}
	r.clients[e.Name] = c
	if r.drained {
		c.Drain()
	}
	return c, nil
}
