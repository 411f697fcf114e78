package main

import (
	"image"
	"image/color"
	"slices"
)

// colours is how many a picture has. With more, files are larger and look the same.
const colours = 64

// reduce returns an image with the most frequent colours; other pixels get the most similar of these. Pages have
// few colours: those that are left out are shades at the edges of letters.
func reduce(full image.Image) *image.Paletted {
	bounds, count := full.Bounds(), map[color.RGBA]int{}
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(full.At(x, y)).(color.RGBA) }
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	palette, index := mostFrequent(count), map[color.RGBA]uint8{}
	for c := range count {
		index[c] = uint8(palette.Index(c))
	}
	small := image.NewPaletted(bounds, palette)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			small.SetColorIndex(x, y, index[at(x, y)])
		}
	}
	return small
}

// mostFrequent returns at most as many colours as a picture has. Equally frequent ones are in
// the order of their values, so that the same image always gives the same file.
func mostFrequent(count map[color.RGBA]int) (palette color.Palette) {
	type frequency struct {
		color color.RGBA
		count int
	}
	var all []frequency
	for c, n := range count {
		all = append(all, frequency{c, n})
	}
	value := func(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }
	slices.SortFunc(all, func(a, b frequency) int {
		if a.count != b.count {
			return b.count - a.count
		}
		return value(a.color) - value(b.color)
	})
	for _, f := range all[:min(len(all), colours)] {
		palette = append(palette, f.color)
	}
	return palette
}
