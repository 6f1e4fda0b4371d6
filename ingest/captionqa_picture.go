package ingest

import (
	"bytes"
	"errors"
	"fmt"
)

// pictureOf tells the kind of an encoded picture and its size in pixels, and decodes it whole: a header alone does not
// show that the bytes are.
func pictureOf(content []byte) (format string, width, height int, err error) {
	format = pictureFormat(content)
	if format == "" {
		return "", 0, 0, errors.New("it is no png, jpeg, gif or webp")
	}
	decoder := pictureDecoders[format]
	config, err := decoder.config(bytes.NewReader(content))
	if err != nil {
		return "", 0, 0, fmt.Errorf("the %s is damaged (%w)", format, err)
	}
	if int64(config.Width)*int64(config.Height) > maxPicturePixels {
		return "", 0, 0, fmt.Errorf("it claims %d × %d pixels", config.Width, config.Height)
	}
	if _, err := decoder.decode(bytes.NewReader(content)); err != nil {
		return "", 0, 0, fmt.Errorf("the %s is damaged (%w)", format, err)
	}
	return format, config.Width, config.Height, nil
}
