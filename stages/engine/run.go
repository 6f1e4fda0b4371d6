package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/preflight"
)

// A Runner runs the stages of a list, as far as a choice selects them: live, offline, or as a dry
// run.
type Runner struct {
	Lake        *data.Lake
	Config      *config.Config // narrowed by the choice
	Choice      config.Choice
	Stages      []Stage
	RetryFailed bool        // repeat requests that failed or were truncated
	Replace     bool        // repeat requests whose settings changed
	Limit       int         // most requests of each unit that are asked, further attempts included; 0 for all
	Part        config.Part // share of the run that is asked
	// Progress is called after every item with the number of the unit's finished items, including
	// items of earlier runs; may be nil. Calls do not overlap.
	Progress func(unit string, done, total int)
	Notice   func(string) // gets messages about waiting; may be nil
	Held     int          // recorded replies are read as soon as so many requests wait for them
	// Connect makes the client of an endpoint.
	Connect func(config.Endpoint) (preflight.Client, error)

	mu      sync.Mutex // guards clients and drained
	clients map[string]preflight.Client
	drained bool

	spent   preflight.Spending
	indexes map[string]*callIndex // by model_id
	memory  *memory
	speeds  []speed // for estimates
}

// New prepares a run of stages under a configuration and a choice.
func New(l *data.Lake, stages []Stage, c *config.Config, o config.Choice) *Runner {
	narrowed := c.Narrow(o)
	r := &Runner{Lake: l, Stages: stages, Config: &narrowed, Choice: o, Held: recalledTogether,
		clients: map[string]preflight.Client{}, memory: openMemory(l)}
	r.Connect = func(e config.Endpoint) (preflight.Client, error) { return e.Client(r.Notice) }
	return r
}

// Run runs the units, stage by stage: it asks pending requests, records the calls and makes the
// rows. An interrupted run keeps the replies that came back. The reports end at the first error.
//
// A unit that another process is working on comes last in its stage. If it is still in progress
// then, it is left to that process, and its report says so.
func (r *Runner) Run(ctx context.Context) ([]Report, error) {
	reports := []Report{} // an empty list, since JSON would show nil as null
	// assumed is false: units about results of this run come when the lake has these results.
	err := r.each(false, func(u *unit, s *Scope, last bool) error {
		report, err := r.run(ctx, u, s)
		if errors.Is(err, data.ErrLocked) {
			if !last {
				return err
			}
			report.Note = fmt.Sprintf("%v; it is left to that process: "+
				"run the same command again when that has finished", err)
			err = nil
		}
		reports = append(reports, report)
		return err
	})
	return reports, errors.Join(err, r.memory.save())
}

// Drain lets the requests under way return and sends no more. It may be called from any goroutine,
// and more than once.
func (r *Runner) Drain() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drained = true
	for _, c := range r.clients {
		c.Drain()
	}
}

// chosen are the stages of a run: the stages with the chosen name or track, or all stages that run
// without being named.
func (r *Runner) chosen() (stages []Stage) {
	name := r.Choice.Stage
	for _, s := range r.Stages {
		chosen := s.Name == name || s.Track == name
		if name == "" {
			chosen = !s.Named
		}
		if chosen {
			stages = append(stages, s)
		}
	}
	return stages
}

// check refuses a choice of an unknown stage, and a flag that no chosen stage knows.
func (r *Runner) check() error {
	if err := r.Choice.Check(); err != nil {
		return err
	}
	if r.Choice.Stage == "" { // A run of all stages takes every flag; each stage uses its own flags.
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
		return data.WithHint(fmt.Errorf("the stage %s does not know --%s", r.Choice.Stage, flag),
			"leave it out, or use it with: %s", strings.Join(others, ", "))
	}
	return nil
}

// each visits the units of a run, stage by stage. With assumed, it visits units about results that
// the run has yet to make. It stops at the first error.
//
// If do returns ErrLocked for a unit, each visits the unit again after the other units of its
// stage. At this second visit last is true.
func (r *Runner) each(assumed bool, do func(u *unit, s *Scope, last bool) error) error {
	if err := r.check(); err != nil {
		return err
	}
	units := 0
	var reason error // why the first stage without units has nothing to ask
	for _, stage := range r.chosen() {
		// A stage with DependsOnRun asks about results of other stages, which only a run of all
		// stages makes. A stage that runs only when named asks about results of its own.
		if assumed && (!stage.DependsOnRun || r.Choice.Stage != "" && !stage.Named) {
			continue
		}
		s := r.scope(stage.Name, assumed)
		err := stage.Units(s)
		if errors.Is(err, ErrNothingToAsk) && reason == nil {
			reason = err
		}
		if err != nil && !errors.Is(err, ErrNothingToAsk) {
			return err
		}
		queue := s.units
		units += len(s.units)
		for n := 0; n < len(queue); n++ { // The queue grows by locked units, which come again.
			last := n >= len(s.units)
			if err := do(queue[n], s, last); errors.Is(err, data.ErrLocked) && !last {
				queue = append(queue, queue[n])
			} else if err != nil {
				return err
			}
		}
	}
	if units > 0 {
		return nil
	}
	return cmp.Or(reason, data.WithHint(ErrNothingToAsk,
		"name models under captions, answers or judges in %s", config.File))
}

// scope is a stage's view of the run.
func (r *Runner) scope(stage string, assumed bool) *Scope {
	s := &Scope{Lake: r.Lake, Config: r.Config, Choice: r.Choice, Assumed: assumed, stage: stage, pending: r.pending}
	s.recorded = func(u *unit, each func(*item, *Outcome) error) error {
		p, err := r.planOf(u, s, func(*request) bool { return false }) // Nothing is asked.
		if err != nil {
			return err
		}
		p.outcome = each
		return p.run()
	}
	return s
}

// planOf prepares to go through the items of a unit. The plan asks nothing as long as its sender is
// a dryRun: a live run replaces the sender.
func (r *Runner) planOf(u *unit, s *Scope, asks func(*request) bool) (_ *plan, err error) {
	model, own := u.Model.ID, u.calls().FileStem()
	if r.indexes[model] == nil {
		// At most two indexes are kept, and a third one replaces both. Two are enough, because a unit
		// may read the replies of one other unit.
		if len(r.indexes) != 1 {
			r.indexes = map[string]*callIndex{}
		}
		if r.indexes[model], err = openIndex(r.Lake, model); err != nil {
			return nil, err
		}
	}
	p := &plan{
		unit: u, scope: s, index: r.indexes[model], asks: asks, planned: map[callKey]bool{}, held: r.Held,
		causes: map[string]int{}, summary: Summary{Unit: u.Name},
		outcome: func(*item, *Outcome) error { return nil }, report: func() {},
	}
	p.sender = dryRun{plan: p}
	if err := p.index.add(data.JournalRows[callRef](r.Lake, own)); err != nil { // left by an interrupted run
		return nil, err
	}
	committed, err := p.index.look(own)
	if committed > 0 { // Other processes have changed tables, so the remembered digests are old.
		clear(r.memory.tables)
	}
	return p, err
}

// pauseLength is the time between two looks at the replies that another process records.
const pauseLength = time.Second / 10

// pause returns a function that waits for pauseLength, because another process may then have
// recorded replies to foreign requests. requests is the number of these requests. After a second of
// pauses the function tells the user once that the run waits.
func (r *Runner) pause(ctx context.Context, p *plan) func(requests int) error {
	var waited time.Duration
	return func(requests int) error {
		waited += pauseLength
		if waited == time.Second {
			r.Lake.Tell(fmt.Sprintf("%s %s: waiting for %d replies that another process has asked for", p.stage, p.Name,
				requests))
		}
		r.mu.Lock()
		drained := r.drained
		r.mu.Unlock()
		if drained {
			return &llm.CallError{Class: llm.ClassDrained}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pauseLength):
			return nil
		}
	}
}

// pending reports whether a request belongs to the run's part and has no recorded reply. With
// RetryFailed, a request without a whole reply is pending, too.
func (r *Runner) pending(q *request) bool {
	recorded := q.rank(q.recorded)
	wanted := recorded == missing || r.RetryFailed && recorded < whole
	return wanted && r.Part.Has(q.item.Picture)
}

// asks returns a function that selects the requests of one unit to ask: the pending ones, in the
// order of the plan, until the limit is reached. A further attempt counts as a request.
func (r *Runner) asks() func(*request) bool {
	left := cmp.Or(r.Limit, math.MaxInt)
	return func(q *request) bool {
		if left == 0 || !r.pending(q) {
			return false
		}
		left--
		return true
	}
}

// Notes about units with requests that were not asked.
const (
	BeyondLimit = "requests beyond the limit stay pending: the same command continues with them"
	OtherParts  = "requests of other parts stay pending: merge joins the lakes of all parts"
)

// reportOf is the report of a unit before anything was counted.
func reportOf(u *unit) Report {
	return Report{Stage: u.stage, Model: u.Model.ID, Summary: Summary{Unit: u.Name}}
}

// run runs one unit live, unless the memory says that the unit has nothing left to ask.
func (r *Runner) run(ctx context.Context, u *unit, s *Scope) (Report, error) {
	remembered, ok, err := r.memory.recalled(u, r.RetryFailed)
	if err != nil || ok {
		report := reportOf(u)
		report.Rows, report.Note = remembered.Rows, u.Note
		report.Planned, report.Recorded = remembered.Planned, remembered.Planned // No request is pending.
		report.RecordedFailed = remembered.Failed
		return report, err
	}
	check := &preflight.Check{Model: u.Model, Protocol: u.Protocol, Budget: r.Config.Budget, Spent: &r.spent}
	sender := &liveSender{} // A unit that only computes has no requests: its sender needs no caller.
	if u.Model.ID != "" {
		if check.Endpoint, err = r.Config.Endpoint(u.Model.Endpoint); err == nil {
			check.Client, err = r.client(check.Endpoint)
		}
		if err != nil {
			return reportOf(u), err
		}
		// The number of open calls is twice the number of requests under way, because as many calls
		// again may wait until their replies are on the disk.
		sender.caller, sender.most, sender.parallel = check, 2*check.Endpoint.Workers(), check.Parallel
		if !r.Replace {
			check.Refuse = func() error { return sender.plan.refusal() } // carryOut sets the plan before.
		}
	}
	report, err := r.carryOut(ctx, u, s, sender, r.asks(),
		func() any { return check.Record(ctx, r.Config.Settings(u.Model.Served).Price) })
	if err != nil {
		return report, fmt.Errorf("%s %s: %w", u.stage, u.Name, resumable(err))
	}
	notes := []string{check.Note(), report.Note, u.Note}
	switch {
	case report.Planned == 0 && report.Rows == 0:
		notes = []string{u.Empty}
	case report.Pending > 0 && r.Limit == 0: // Without a limit, only other parts have pending requests.
		notes = append(notes, OtherParts)
	case report.Pending > 0:
		notes = append(notes, BeyondLimit)
	}
	notes = slices.DeleteFunc(notes, func(n string) bool { return n == "" })
	report.Note = strings.Join(notes, "\n")
	return report, nil
}

// carryOut asks the requests of a unit for which the function asks is true, records the replies,
// and commits calls and rows. It is the same for a server and for a file of replies: the caller of
// the sender answers. detail returns the record about the servers that the lake keeps.
func (r *Runner) carryOut(ctx context.Context, u *unit, s *Scope, a *liveSender, asks func(*request) bool,
	detail func() any) (done Report, err error) {
	// Open everything that the plan reads and writes. From openLog on, no other process can work on
	// the unit.
	done = reportOf(u)
	inputs, err := r.memory.inputs(u)
	if err != nil {
		return done, err
	}
	log, err := openLog(r.Lake, u, detail)
	if err != nil {
		return done, err
	}
	defer log.close()
	p, err := r.planOf(u, s, asks)
	if err != nil {
		return done, err
	}
	out, err := openResults(r.Lake, u)
	if err != nil {
		return done, err
	}
	defer out.tx.Abort()
	p.outcome = out.write
	if err := r.reporting(p); err != nil {
		return done, err
	}
	a.plan, a.calls, a.room = p, log, sync.NewCond(&a.mu)
	a.ctx, a.cancel = context.WithCancel(ctx)
	defer a.cancel()
	p.pause = r.pause(a.ctx, p)
	if p.claims, err = r.Lake.Claims(); err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, p.claims.Close()) }()
	p.sender = a
	// Ask. After an error, too, replies under way are awaited and kept.
	err = cmp.Or(p.run(), a.wait())
	done.Summary, done.Note = p.summary, p.summary.note(u.Model.Served, p.unread)
	done.Rows, done.Cause, done.Pending = out.rows, commonest(p.causes), p.pending
	if err != nil {
		return done, err
	}
	// Write calls and rows at the same time. The calls are committed first: they cost money, and
	// rows can be made from them again.
	var calls error
	var writing sync.WaitGroup
	writing.Go(func() { calls = log.write() })
	rows := out.writeOut()
	writing.Wait()
	if err := errors.Join(calls, rows); err != nil {
		return done, err
	}
	if err := log.commit(); err != nil {
		return done, err
	}
	if err := out.commit(); err != nil {
		return done, err
	}
	return done, r.memory.complete(u, inputs, done, p.index.seen)
}

// reporting has a plan report its progress. It first goes through all items, to count them.
func (r *Runner) reporting(p *plan) error {
	if r.Progress == nil {
		return nil
	}
	total := 0
	err := p.items(p.scope, func(*item) error {
		total++
		return nil
	})
	p.report = func() { r.Progress(p.stage+" "+p.Name, p.finished, total) }
	return err
}

// client is the client of an endpoint, made once in a run. If the run drains already, so does the
// client.
func (r *Runner) client(e config.Endpoint) (preflight.Client, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.clients[e.Name]; ok {
		return c, nil
	}
	c, err := r.Connect(e)
	if err != nil {
		return nil, err
	}
	r.clients[e.Name] = c
	if r.drained {
		c.Drain()
	}
	return c, nil
}
