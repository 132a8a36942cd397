package zones_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wf-lang/wf/stdlib/zones"
)

func TestLoad(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Argentina/Buenos_Aires", "Etc/GMT+5"} {
		l, err := zones.Load(name)
		require.NoError(t, err)
		require.Equal(t, name, l.String())
	}
	l, err := zones.Load("-03:30")
	require.NoError(t, err)
	_, offset := time.Unix(0, 0).In(l).Zone()
	require.Equal(t, -(3*3600 + 1800), offset)
	for name, want := range map[string]string{
		"Europe/Belrin": `there is no zone "Europe/Belrin"; did you mean "Europe/Berlin"?`,
		"":              `there is no zone "": zones have names such as Europe/Berlin, UTC or +02:00`,
		"Local":         `there is no zone "Local": zones have names such as Europe/Berlin, UTC or +02:00`,
		"../passwd":     `there is no zone "../passwd": zones have names such as Europe/Berlin, UTC or +02:00`,
		"+99:00":        `there is no zone "+99:00": zones have names such as Europe/Berlin, UTC or +02:00`,
	} {
		_, err := zones.Load(name)
		require.EqualError(t, err, want)
	}
}

// What the machine has installed is not asked, also if it is told to be.
func TestMachineIsNotAsked(t *testing.T) {
	t.Setenv("ZONEINFO", t.TempDir())
	l, err := zones.Load("Europe/Berlin")
	require.NoError(t, err)
	require.Equal(t, "2030-07-01T12:00:00+02:00", time.Date(2030, 7, 1, 10, 0, 0, 0, time.UTC).In(l).Format(time.RFC3339))
}

// Instants finds exactly the moments at which the clocks show a time.
func TestInstants(t *testing.T) {
	names := []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tehran", "America/Sao_Paulo", "Africa/Casablanca", "Asia/Kolkata"}
	var all []*time.Location
	for _, n := range names {
		l, err := zones.Load(n)
		require.NoError(t, err)
		all = append(all, l)
	}
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(all).Draw(t, "zone")
		wall := time.Unix(rapid.Int64Range(1_000_000_000, 2_500_000_000).Draw(t, "wall")/900*900, 0).UTC()
		var want []time.Time
		for off := -16 * time.Hour; off <= 16*time.Hour; off += 15 * time.Minute {
			at := wall.Add(off).In(zone)
			if at.Format(time.DateTime) == wall.Format(time.DateTime) {
				want = append(want, at)
			}
		}
		first, second, n := zones.Instants(wall, zone)
		require.Equal(t, len(want), n)
		at, skipped := zones.Instant(wall, zone)
		require.Equal(t, n == 0, skipped)
		require.True(t, at.Equal(first))
		if n > 0 {
			require.True(t, first.Equal(want[0]), "%s and %s", first, want[0])
			require.True(t, second.Equal(want[n-1]), "%s and %s", second, want[n-1])
		}
	})
}
