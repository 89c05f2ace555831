package dev.coir.bench.programs;

/** Multiplication of square matrices, row by row, so that the inner loop runs along memory and is vectorised. */
public final class Matrix {
    private Matrix() {}

    /**
     * A matrix to multiply.
     *
     * @param n its size
     * @return the matrix
     */
    public static double[][] sample(int n) {
        double[][] m = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = (i * 31 + j) % 17;
        return m;
    }

    /**
     * The product.
     *
     * @param a a matrix
     * @param b another of its size
     * @return a new matrix
     */
    public static double[][] multiply(double[][] a, double[][] b) {
        int n = a.length;
        double[][] c = new double[n][n];
        for (int i = 0; i < n; i++) {
            double[] row = c[i];
            for (int k = 0; k < n; k++) {
                double factor = a[i][k];
                double[] other = b[k];
                for (int j = 0; j < n; j++) row[j] += factor * other[j];
            }
        }
        return c;
    }
}
