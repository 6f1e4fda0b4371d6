package server

import "github.com/captionlake/captionlake/data"

// LakeWorld is the rehearsal models' knowledge of a lake's pictures: the facts in its images.
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
