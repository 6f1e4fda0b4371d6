package server

import "github.com/captionlake/captionlake/data"

// LakeWorld is what rehearsal models know of a lake's pictures: the facts of those that have any.
func LakeWorld(l *data.Lake) (*World, error) {
	var images []data.Image
	for image, err := range data.Select(l, data.Images, nil) {
		if err != nil {
			return nil, err
		}
		if image.Facts != "" {
			images = append(images, image)
		}
	}
	return NewWorld(images)
}
