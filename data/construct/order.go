package construct

import (
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// shuffled is a random order of n positions that depends only on the names: the positions sorted by
// the MD5 of the names and the position.
func shuffled(n int, names ...string) []int32 {
	head := strings.Join(names, "\x00") + "\x00"
	draws := make([]uint64, n)
	order := make([]int32, n)
	for i := range order {
		sum := md5.Sum([]byte(head + strconv.Itoa(i)))
		draws[i], order[i] = binary.BigEndian.Uint64(sum[:]), int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(draws[a], draws[b]), cmp.Compare(a, b))
	})
	return order
}
