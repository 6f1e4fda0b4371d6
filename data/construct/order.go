package construct

import (
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// shuffled is a random order of the positions 0 to n-1 that depends only on the names. It sorts the
// positions by the MD5 of the names together with the position.
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
