package main

import (
	"errors"
	"net"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
	"github.com/captionlake/captionlake/stages/web"
)

func (a *app) rehearseCommand() *cobra.Command {
	address, latency, faults := "127.0.0.1:8000", "zero", ""
	return flags(&cobra.Command{
		Use:   "rehearse",
		Short: "Serve rehearsal models, to try a run without a GPU",
		Long: `Serve rehearsal models over the part of OpenAI's and vLLM's API that captionlake uses, to try a whole
run without a GPU. Nothing that they say is a result: their names begin with rehearsal/, and their rows are
marked simulated.

The server knows the pictures of the sample set. For any other picture, it picks a picture of the sample set by the
content, and answers about that one. A latency model makes the server as slow as a real one might be; a fault plan makes
it fail as real servers do.`,
		Example: `  captionlake rehearse --latency mi325x --faults 5%
  captionlake rehearse --latency mi300x/10 --faults "429=2%,reset=1%"`,
		RunE: func(*cobra.Command, []string) error {
			model, err := rehearsalserver.ParseLatency(latency)
			if err != nil {
				return err
			}
			plan, err := rehearsalserver.ParseFaults(faults)
			if err != nil {
				return err
			}
			world, err := a.world()
			if err != nil {
				return err
			}
			server := rehearsalserver.New(rehearsalserver.Options{World: world, Latency: model, Faults: plan})
			return web.Listen(a.context, address, server, func(at net.Addr) {
				a.say("# rehearsal server on http://%s/v1 (latency %s); every reply is simulated\n"+
					"%s# This is a %s for it. Ctrl-C stops it.\n\n%s", at, model.Name, exposure(at), config.File,
					rehearsalserver.Configuration(at.String()))
			})
		},
	},
		&address, "address", "address to serve on; port 0 takes any free one",
		&latency, "latency", "latency model: zero, mi300x or mi325x; mi325x/10 is ten times as fast",
		&faults, "faults",
		"share of the requests that fail, such as 5%, or a share for each fault, such as 429=2%,reset=1%",
	)
}

// exposure is a warning if other machines can reach the address, and otherwise an empty text.
func exposure(at net.Addr) string {
	if tcp, ok := at.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		return "# other machines can use this server; --address 127.0.0.1:8000 allows only this machine\n"
	}
	return ""
}

// world has the pictures that the rehearsal models know. If there is a lake, these are the lake's
// pictures with recorded facts. Imagine adds the pictures of the sample set, which also stand in
// for unknown pictures.
func (a *app) world() (world *rehearsalserver.World, err error) {
	lake, err := a.readLake()
	switch {
	case errors.Is(err, data.ErrNotALake):
		world, err = rehearsalserver.NewWorld(nil) // without a picture so far
	case err == nil:
		world, err = rehearsalserver.LakeWorld(lake)
	}
	if err != nil {
		return nil, err
	}
	return world, world.Imagine()
}
