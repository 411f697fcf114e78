package fleet

import (
	"math"
	"time"

	"github.com/tabletop-db/tabletop/simulators/sim"
)

// sensor is a sensor that a device may have, and what it measures.
type sensor struct {
	name    string
	present float64 // the share of devices that have it
	measure func(w weather) map[string]float64
}

var allSensors = []sensor{
	{"bme280", 0.95, func(w weather) map[string]float64 {
		return map[string]float64{"bme280_temp_c": w.air(), "humidity_pct": w.humidity(), "pressure_hpa": w.pressure()}
	}},
	{"ds18b20", 0.8, func(w weather) map[string]float64 { return map[string]float64{"ds18b20_temp_c": w.soil()} }},
	{"soil_moisture", 0.7, func(w weather) map[string]float64 {
		return map[string]float64{"soil_moisture_pct": w.moisture()}
	}},
}

// weather is the conditions at a device's location at one time: a function of the seed, the device and the time.
type weather struct {
	seed, device uint64
	at           time.Time
}

// wave returns noise that changes smoothly: random from -1 to 1 at each multiple of the period, with a cosine between.
// Device 0 is the weather that all devices share.
func (w weather) wave(device, what uint64, period time.Duration) float64 {
	n := w.at.UnixNano() / int64(period)
	part := float64(w.at.UnixNano()%int64(period)) / float64(period)
	value := func(n int64) float64 { return sim.Float64(w.seed, forWeather, device, what, uint64(n))*2 - 1 }
	blend := (1 - math.Cos(part*math.Pi)) / 2
	return value(n)*(1-blend) + value(n+1)*blend
}

// noise returns a sensor's own error, from -1 to 1.
func (w weather) noise(what uint64) float64 {
	return sim.Float64(w.seed, forNoise, w.device, what, uint64(w.at.UnixMilli()))*2 - 1
}

// sun goes from -1 before dawn to 1 at three in the afternoon, in UTC.
func (w weather) sun() float64 {
	day := float64(w.at.Unix()%86400) / 86400
	return math.Sin(2 * math.Pi * (day - 0.375))
}

func (w weather) front() float64 { return w.wave(0, 1, 36*time.Hour) } // a warm or cold front passing over all devices

func (w weather) air() float64 {
	place := sim.Float64(w.seed, forWeather, w.device)*8 - 4
	return round(18+place+7*w.sun()+4*w.front()+0.8*w.wave(w.device, 2, time.Hour)+0.1*w.noise(1), 2)
}

func (w weather) soil() float64 {
	later := weather{w.seed, w.device, w.at.Add(-3 * time.Hour)} // soil follows the air, later and less
	return round(16+2.5*later.sun()+3*later.front()+0.06*w.noise(2), 2)
}

func (w weather) humidity() float64 {
	return round(clamp(62-18*w.sun()-8*w.front()+5*w.wave(w.device, 3, 2*time.Hour)+0.5*w.noise(3), 15, 100), 1)
}

func (w weather) pressure() float64 {
	return round(1013+11*w.wave(0, 4, 60*time.Hour)+0.15*w.noise(4), 2)
}

// moisture falls between waterings, which each place has in its own rhythm of about three days.
func (w weather) moisture() float64 {
	rhythm := 60*time.Hour + time.Duration(sim.Mix(w.seed, forWeather, w.device, 5)%uint64(24*time.Hour))
	dry := float64(w.at.UnixNano()%int64(rhythm)) / float64(rhythm)
	return round(clamp(30+42*math.Exp(-1.6*dry)+0.4*w.noise(5), 0, 100), 1)
}

func round(v float64, digits int) float64 {
	unit := math.Pow10(digits)
	return math.Round(v*unit) / unit
}

func clamp(v, low, high float64) float64 { return max(low, min(high, v)) }
