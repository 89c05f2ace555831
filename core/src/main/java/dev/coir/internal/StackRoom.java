package dev.coir.internal;

/**
 * Makes sure that what must not stop in the middle has the stack it needs. Where a StackOverflowError would strike while a guard
 * is held, or after something was changed and before others were told, it strikes here instead: nothing has been changed yet,
 * and only who called too deep hears of it.
 */
public final class StackRoom {
    /*
     * The JVM looks for the end of the stack where a method begins, and nowhere else. So these methods have large frames: in the
     * interpreter that is where the stack is touched. Compiled and inlined they take no room and almost no time; but compiled
     * code must be able to go on in the interpreter at any place that has a way out to it, and looks at its beginning for
     * the room of all frames that it might need there. The comparison is such a place, for both methods.
     *
     * O1. Whoever has ensured room at some depth has it there until it returns, for calls that it makes one after the other.
     * O2. Who takes asks for more than who gives back, and who calls others for more than they do. So what was begun at some
     *     depth can be ended there.
     * O3. What wakes others asks for nothing, not even on a way that it does not take: compiled code asks at its beginning, for
     *     all ways. VirtualFiber.execute starts and wakes; so the room for a start is ensured before it.
     * O4. A stack that was saved is put back only where there is room for it: HotSpot (JDK 25, x86-64) looks for that itself, but
     *     throws its StackOverflowError to a place that is none, and the process ends. So who leaves a stack asks before, for he
     *     will be put back about as deep; and who enters one at another depth than it was left at asks for its size.
     * All guarded by StackEndTest. What the JVM does when code runs for the first time, linking and initializing, needs more
     *     room than this, and is not covered.
     *
     * Rejected: calling deep down and coming back (a thousand calls, as StackedWaits does where it may take its time); freeing the
     *     guard where an error is caught (the guarded state may be half changed, and others wait for ever for what they were
     *     not told); the JDK's own reserved pages, which only its own classes may use.
     */
    private static boolean never; // nobody sets it; not final, for the compiler must not know

    private static final long[] VALUES = new long[250]; // nobody writes them
    private static final int REACH = VALUES.length * Long.BYTES + 48;

    private StackRoom() {}

    /**
     * About 8 KiB: for what is done while a guard is held, and for waking others afterwards. To be called first.
     *
     * @throws StackOverflowError when the stack has no such room
     */
    @SuppressWarnings("UnusedVariable") // they are the room
    public static void ensure() {
        // spotless:off: one below the other they would fill many pages
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, aa, ab, ac, ad, ae, af, ag, ah, ai, aj, ak, al, am, an, ao, ap,
            aq, ar, as, at, au, av, aw, ax, ay, az, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, ba, bb, bc, bd, be, bf,
            bg, bh, bi, bj, bk, bl, bm, bn, bo, bp, bq, br, bs, bt, bu, bv, bw, bx, by, bz, c0, c1, c2, c3, c4, c5,
            c6, c7, c8, c9, ca, cb, cc, cd, ce, cf, cg, ch, ci, cj, ck, cl, cm, cn, co, cp, cq, cr, cs, ct, cu, cv,
            cw, cx, cy, cz, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, da, db, dc, dd, de, df, dg, dh, di, dj, dk, dl,
            dm, dn, dp, dq, dr, ds, dt, du, dv, dw, dx, dy, dz, e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, ea, eb, ec,
            ed, ee, ef, eg, eh, ei, ej, ek, el, em, en, eo, ep, eq, er, es, et, eu, ev, ew, ex, ey, ez, f0, f1, f2,
            f3, f4, f5, f6, f7, f8, f9, fa, fb, fc, fd, fe, ff, fg, fh, fi, fj, fk, fl, fm, fn, fo, fp, fq, fr, fs,
            ft, fu, fv, fw, fx, fy, fz, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, ga, gb, gc, gd, ge, gf, gg, gh, gi,
            gj, gk, gl, gm, gn, go, gp, gq, gr, gs, gt, gu, gv, gw, gx, gy, gz, h0, h1, h2, h3, h4, h5, h6, h7, h8,
            h9, ha, hb, hc, hd, he, hf, hg, hh, hi, hj, hk, hl, hm, hn, ho, hp, hq, hr, hs, ht, hu, hv, hw, hx, hy,
            hz, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, ia, ib, ic, id, ie, ig, ih, ii, ij, ik, il, im, in, io, ip,
            iq, ir, is, it, iu, iv, iw, ix, iy, iz, j0, j1, j2, j3, j4, j5, j6, j7, j8, j9, ja, jb, jc, jd, je, jf,
            jg, jh, ji, jj, jk, jl, jm, jn, jo, jp, jq, jr, js, jt, ju, jv, jw, jx, jy, jz, k0, k1, k2, k3, k4, k5,
            k6, k7, k8, k9, ka, kb, kc, kd, ke, kf, kg, kh, ki, kj, kk, kl, km, kn, ko, kp, kq, kr, ks, kt, ku, kv,
            kw, kx, ky, kz, l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, la, lb, lc, ld, le, lf, lg, lh, li, lj, lk, ll,
            lm, ln, lo, lp, lq, lr, ls, lt, lu, lv, lw, lx, ly, lz, m0, m1, m2, m3, m4, m5, m6, m7, m8, m9, ma, mb,
            mc, md, me, mf, mg, mh, mi, mj, mk, ml, mm, mn, mo, mp, mq, mr, ms, mt, mu, mv, mw, mx, my, mz, n0, n1,
            n2, n3, n4, n5, n6, n7, n8, n9, na, nb, nc, nd, ne, nf, ng, nh, ni, nj, nk, nl, nm, nn, no, np, nq, nr,
            ns, nt, nu, nv, nw, nx, ny, nz, o0, o1, o2, o3, o4, o5, o6, o7, o8, o9;
        // spotless:on
        if (never) throw new StackOverflowError();
    }

    /**
     * About 12 KiB: for a call that needs other calls which ensure room, or that takes something which must be given back from
     * the same depth. To be called first.
     *
     * @throws StackOverflowError when the stack has no such room
     */
    @SuppressWarnings("UnusedVariable") // they are the room
    public static void ensureMore() {
        // spotless:off: one below the other they would fill many pages
        long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, aa, ab, ac, ad, ae, af, ag, ah, ai, aj, ak, al, am, an, ao, ap,
            aq, ar, as, at, au, av, aw, ax, ay, az, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, ba, bb, bc, bd, be, bf,
            bg, bh, bi, bj, bk, bl, bm, bn, bo, bp, bq, br, bs, bt, bu, bv, bw, bx, by, bz, c0, c1, c2, c3, c4, c5,
            c6, c7, c8, c9, ca, cb, cc, cd, ce, cf, cg, ch, ci, cj, ck, cl, cm, cn, co, cp, cq, cr, cs, ct, cu, cv,
            cw, cx, cy, cz, d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, da, db, dc, dd, de, df, dg, dh, di, dj, dk, dl,
            dm, dn, dp, dq, dr, ds, dt, du, dv, dw, dx, dy, dz, e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, ea, eb, ec,
            ed, ee, ef, eg, eh, ei, ej, ek, el, em, en, eo, ep, eq, er, es, et, eu, ev, ew, ex, ey, ez, f0, f1, f2,
            f3, f4, f5, f6, f7, f8, f9, fa, fb, fc, fd, fe, ff, fg, fh, fi, fj, fk, fl, fm, fn, fo, fp, fq, fr, fs,
            ft, fu, fv, fw, fx, fy, fz, g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, ga, gb, gc, gd, ge, gf, gg, gh, gi,
            gj, gk, gl, gm, gn, go, gp, gq, gr, gs, gt, gu, gv, gw, gx, gy, gz, h0, h1, h2, h3, h4;
        // spotless:on
        ensure();
    }

    /**
     * As {@link #ensure}, and so much besides: for a stack that is put back on top of the caller's.
     *
     * @param bytes how much; some hundredths more are asked for
     * @throws StackOverflowError when the stack has no such room
     */
    public static void ensureFor(long bytes) {
        ensure();
        if (reach(bytes / REACH, VALUES) != 0) throw new StackOverflowError(); // it is 0; the compiler must not know
    }

    /**
     * Takes about {@link #REACH} bytes per level: what is needed after the call is kept in the frame meanwhile. It is too large
     * for the JIT to inline, which would let levels share a frame.
     */
    private static long reach(long levels, long[] v) {
        // spotless:off
        long a0 = v[0], a1 = v[1], a2 = v[2], a3 = v[3], a4 = v[4], a5 = v[5], a6 = v[6], a7 = v[7], a8 = v[8], a9 = v[9];
        long b0 = v[10], b1 = v[11], b2 = v[12], b3 = v[13], b4 = v[14], b5 = v[15], b6 = v[16], b7 = v[17], b8 = v[18], b9 = v[19];
        long c0 = v[20], c1 = v[21], c2 = v[22], c3 = v[23], c4 = v[24], c5 = v[25], c6 = v[26], c7 = v[27], c8 = v[28], c9 = v[29];
        long d0 = v[30], d1 = v[31], d2 = v[32], d3 = v[33], d4 = v[34], d5 = v[35], d6 = v[36], d7 = v[37], d8 = v[38], d9 = v[39];
        long e0 = v[40], e1 = v[41], e2 = v[42], e3 = v[43], e4 = v[44], e5 = v[45], e6 = v[46], e7 = v[47], e8 = v[48], e9 = v[49];
        long f0 = v[50], f1 = v[51], f2 = v[52], f3 = v[53], f4 = v[54], f5 = v[55], f6 = v[56], f7 = v[57], f8 = v[58], f9 = v[59];
        long g0 = v[60], g1 = v[61], g2 = v[62], g3 = v[63], g4 = v[64], g5 = v[65], g6 = v[66], g7 = v[67], g8 = v[68], g9 = v[69];
        long h0 = v[70], h1 = v[71], h2 = v[72], h3 = v[73], h4 = v[74], h5 = v[75], h6 = v[76], h7 = v[77], h8 = v[78], h9 = v[79];
        long i0 = v[80], i1 = v[81], i2 = v[82], i3 = v[83], i4 = v[84], i5 = v[85], i6 = v[86], i7 = v[87], i8 = v[88], i9 = v[89];
        long j0 = v[90], j1 = v[91], j2 = v[92], j3 = v[93], j4 = v[94], j5 = v[95], j6 = v[96], j7 = v[97], j8 = v[98], j9 = v[99];
        long k0 = v[100], k1 = v[101], k2 = v[102], k3 = v[103], k4 = v[104], k5 = v[105], k6 = v[106], k7 = v[107], k8 = v[108], k9 = v[109];
        long l0 = v[110], l1 = v[111], l2 = v[112], l3 = v[113], l4 = v[114], l5 = v[115], l6 = v[116], l7 = v[117], l8 = v[118], l9 = v[119];
        long m0 = v[120], m1 = v[121], m2 = v[122], m3 = v[123], m4 = v[124], m5 = v[125], m6 = v[126], m7 = v[127], m8 = v[128], m9 = v[129];
        long n0 = v[130], n1 = v[131], n2 = v[132], n3 = v[133], n4 = v[134], n5 = v[135], n6 = v[136], n7 = v[137], n8 = v[138], n9 = v[139];
        long o0 = v[140], o1 = v[141], o2 = v[142], o3 = v[143], o4 = v[144], o5 = v[145], o6 = v[146], o7 = v[147], o8 = v[148], o9 = v[149];
        long p0 = v[150], p1 = v[151], p2 = v[152], p3 = v[153], p4 = v[154], p5 = v[155], p6 = v[156], p7 = v[157], p8 = v[158], p9 = v[159];
        long q0 = v[160], q1 = v[161], q2 = v[162], q3 = v[163], q4 = v[164], q5 = v[165], q6 = v[166], q7 = v[167], q8 = v[168], q9 = v[169];
        long r0 = v[170], r1 = v[171], r2 = v[172], r3 = v[173], r4 = v[174], r5 = v[175], r6 = v[176], r7 = v[177], r8 = v[178], r9 = v[179];
        long s0 = v[180], s1 = v[181], s2 = v[182], s3 = v[183], s4 = v[184], s5 = v[185], s6 = v[186], s7 = v[187], s8 = v[188], s9 = v[189];
        long t0 = v[190], t1 = v[191], t2 = v[192], t3 = v[193], t4 = v[194], t5 = v[195], t6 = v[196], t7 = v[197], t8 = v[198], t9 = v[199];
        long u0 = v[200], u1 = v[201], u2 = v[202], u3 = v[203], u4 = v[204], u5 = v[205], u6 = v[206], u7 = v[207], u8 = v[208], u9 = v[209];
        long v0 = v[210], v1 = v[211], v2 = v[212], v3 = v[213], v4 = v[214], v5 = v[215], v6 = v[216], v7 = v[217], v8 = v[218], v9 = v[219];
        long w0 = v[220], w1 = v[221], w2 = v[222], w3 = v[223], w4 = v[224], w5 = v[225], w6 = v[226], w7 = v[227], w8 = v[228], w9 = v[229];
        long x0 = v[230], x1 = v[231], x2 = v[232], x3 = v[233], x4 = v[234], x5 = v[235], x6 = v[236], x7 = v[237], x8 = v[238], x9 = v[239];
        long y0 = v[240], y1 = v[241], y2 = v[242], y3 = v[243], y4 = v[244], y5 = v[245], y6 = v[246], y7 = v[247], y8 = v[248], y9 = v[249];
        long below = levels > 0 ? reach(levels - 1, v) : 0;
        return below
            + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9
            + b0 + b1 + b2 + b3 + b4 + b5 + b6 + b7 + b8 + b9
            + c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9
            + d0 + d1 + d2 + d3 + d4 + d5 + d6 + d7 + d8 + d9
            + e0 + e1 + e2 + e3 + e4 + e5 + e6 + e7 + e8 + e9
            + f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8 + f9
            + g0 + g1 + g2 + g3 + g4 + g5 + g6 + g7 + g8 + g9
            + h0 + h1 + h2 + h3 + h4 + h5 + h6 + h7 + h8 + h9
            + i0 + i1 + i2 + i3 + i4 + i5 + i6 + i7 + i8 + i9
            + j0 + j1 + j2 + j3 + j4 + j5 + j6 + j7 + j8 + j9
            + k0 + k1 + k2 + k3 + k4 + k5 + k6 + k7 + k8 + k9
            + l0 + l1 + l2 + l3 + l4 + l5 + l6 + l7 + l8 + l9
            + m0 + m1 + m2 + m3 + m4 + m5 + m6 + m7 + m8 + m9
            + n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8 + n9
            + o0 + o1 + o2 + o3 + o4 + o5 + o6 + o7 + o8 + o9
            + p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7 + p8 + p9
            + q0 + q1 + q2 + q3 + q4 + q5 + q6 + q7 + q8 + q9
            + r0 + r1 + r2 + r3 + r4 + r5 + r6 + r7 + r8 + r9
            + s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9
            + t0 + t1 + t2 + t3 + t4 + t5 + t6 + t7 + t8 + t9
            + u0 + u1 + u2 + u3 + u4 + u5 + u6 + u7 + u8 + u9
            + v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7 + v8 + v9
            + w0 + w1 + w2 + w3 + w4 + w5 + w6 + w7 + w8 + w9
            + x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9
            + y0 + y1 + y2 + y3 + y4 + y5 + y6 + y7 + y8 + y9;
        // spotless:on
    }

    /**
     * Whether there is as much room as {@link #ensureMore} asks for.
     *
     * @return false when it would throw
     */
    public static boolean hasMore() {
        try {
            ensureMore();
            return true;
        } catch (StackOverflowError deep) {
            return false;
        }
    }
}
