package stages

import (
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/stub"
)

// RehearsalWorld is what rehearsal models know of the lake's pictures: the facts of those that have any.
func RehearsalWorld(l *data.Lake) (*stub.World, error) {
	var images []data.Image
	for image, err := range data.Select(l, data.Images, nil) {
		if err != nil {
			return nil, err
		}
		if image.Facts != "" {
			images = append(images, image)
		}
	}
	return stub.NewWorld(images)
}
