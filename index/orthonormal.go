package index

import "math"

// orthonormal makes the columns of a matrix, which is stored by rows of one size,
// orthogonal and of length 1: twice by the Cholesky factor of its Gram matrix,
// because once is not exact.
func orthonormal(m []float32, size int) {
	for range 2 {
		r := cholesky(gram(m, size), size)
		for at := 0; at < len(m); at += size {
			row := m[at:][:size]
			for a := range row {
				sum := float64(row[a])
				for c := range a {
					sum -= float64(row[c]) * r[c*size+a]
				}
				row[a] = float32(sum / r[a*size+a])
			}
		}
	}
}

// gram is the product of a matrix with itself, the upper half.
func gram(m []float32, size int) []float64 {
	g := make([]float64, size*size)
	for at := 0; at < len(m); at += size {
		row := m[at:][:size]
		for a, x := range row {
			if x == 0 {
				continue
			}
			to := g[a*size:][:size]
			for b := a; b < size; b++ {
				to[b] += float64(x) * float64(row[b])
			}
		}
	}
	return g
}

// cholesky makes g, of which it reads the upper half, its upper factor, in place.
func cholesky(g []float64, size int) []float64 {
	const tiny = 1e-12 // there are fewer directions than asked for
	for a := range size {
		for b := a; b < size; b++ {
			sum := g[a*size+b]
			for c := range a {
				sum -= g[c*size+a] * g[c*size+b]
			}
			if a == b {
				g[a*size+a] = math.Sqrt(max(sum, tiny))
			} else {
				g[a*size+b] = sum / g[a*size+a]
			}
		}
	}
	return g
}
