package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// writePhotos writes pictures that no rehearsal model knows, JPEG and PNG in turn, under names that people give them.
func writePhotos(dir string, n int) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(13, 14))
	for i := range n {
		name := fmt.Sprintf("photo-%02d%s", i+1, []string{".jpg", ".webp", ".png"}[i%3])
		if err := writePhoto(filepath.Join(dir, name), r); err != nil {
			return err
		}
	}
	return nil
}

// writePhoto draws a picture and writes it as PNG or JPEG.
func writePhoto(path string, r *rand.Rand) (err error) {
	picture := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for range 6 {
		c := color.RGBA{uint8(r.Uint32()), uint8(r.Uint32()), uint8(r.Uint32()), 255}
		left, top := r.IntN(56), r.IntN(40)
		for x := left; x < min(64, left+8+r.IntN(24)); x++ {
			for y := top; y < min(48, top+24); y++ {
				picture.Set(x, y, c)
			}
		}
	}
	var content bytes.Buffer
	switch filepath.Ext(path) {
	case ".png":
		err = png.Encode(&content, picture)
	default:
		err = jpeg.Encode(&content, picture, nil)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path, content.Bytes(), 0o666)
}
