package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// writePhotos writes pictures that no rehearsal model knows, as people have them: JPEG, WebP and
// PNG in turn.
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

// writePhoto draws a picture and writes it in the format that the ending of its path names.
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
	case ".jpg":
		err = jpeg.Encode(&content, picture, nil)
	case ".webp":
		content.Write(encodeWebP(picture))
	default:
		err = png.Encode(&content, picture)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path, content.Bytes(), 0o666)
}

// encodeWebP writes a picture as lossless WebP with two levels of each colour; the library only
// reads WebP.
func encodeWebP(picture *image.RGBA) []byte {
	body, used := []byte{0x2f}, 0
	put := func(value, width int) { // the lowest bit first
		for i := range width {
			if used%8 == 0 {
				body = append(body, 0)
			}
			body[len(body)-1] |= byte(value>>i&1) << (used % 8)
			used++
		}
	}
	size := picture.Bounds().Size()
	put(size.X-1, 14)
	put(size.Y-1, 14)
	put(0, 1+3)   // no transparency, version 0
	put(0, 1+1+1) // no transform, no cache of colours, one group of prefix codes
	for range 3 { // green, red, blue: a simple code of the two symbols 0 and 255, each of one bit
		put(0b111, 3)
		put(0, 8)
		put(255, 8)
	}
	put(0b101, 3) // transparency: a simple code of the one symbol 255, of no bits
	put(255, 8)
	put(0b001, 3) // distances: the one symbol 0
	put(0, 1)
	for i := 0; i < len(picture.Pix); i += 4 {
		for _, level := range []uint8{picture.Pix[i+1], picture.Pix[i], picture.Pix[i+2]} {
			put(int(level>>7), 1)
		}
	}
	if len(body)%2 == 1 {
		body = append(body, 0)
	}
	content := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len("WEBPVP8L")+4+len(body)))
	content = binary.LittleEndian.AppendUint32(append(content, "WEBPVP8L"...), uint32(len(body)))
	return append(content, body...)
}
