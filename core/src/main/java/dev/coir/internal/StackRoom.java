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
     *     throws its StackOverflowError to a place that is none, and the process ends. So who leaves a stack asks before. It
     *     will be put back at about the same depth: below it lie frames of a worker, interpreted or not (6 KiB of difference were seen),
     *     and the JVM reckons with 8 bytes more for each interpreted frame (at most some 400 where a stack ends: it saves them by a
     *     recursion of its own, which ends in a proper StackOverflowError). Who enters a stack at any depth asks for its size.
     * All guarded by StackEndTest. What the JVM does when code runs for the first time, linking and initializing, needs more
     *     room than this, and is not covered.
     *
     * Rejected: calling deep down and coming back (a thousand calls, as StackedWaits does where it may take its time); freeing the
     *     guard where an error is caught (the guarded state may be half changed, and others wait for ever for what they were
     *     not told); the JDK's own reserved pages, which only its own classes may use.
     */
    private static boolean never; // nobody sets it; not final, for the compiler must not know

    private static final long[] VALUES = new long[125]; // nobody writes them
    private static final int REACH = 3000;

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
     * About 16 KiB: for a stack that is about to be left, and will be put back at another depth (O4). To be called before anything is
     * changed for it.
     *
     * @throws StackOverflowError when the stack has no such room
     */
    @SuppressWarnings("UnusedVariable") // they are the room
    public static void ensureToLeave() {
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
        ensure();
    }

    /**
     * About 20 KiB: for a call that waits, or needs other calls which ensure room, or that takes something which must be given back from
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
        ensureToLeave();
    }

    /**
     * As {@link #ensure}, and so much besides: for a stack that is put back on top of the caller's.
     *
     * @param bytes how much; some hundredths more are asked for
     * @throws StackOverflowError when the stack has no such room
     */
    public static void ensureFor(long bytes) {
        ensure();
        // spotless:off
        long sum = reach(bytes / REACH, VALUES,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0);
        // spotless:on
        if (sum != 0) throw new StackOverflowError(); // it is 0; the compiler must not know
    }

    /**
     * Takes about {@link #REACH} bytes per level, interpreted (3160) or compiled (3000). A long that is needed after the call takes 16 bytes of
     * an interpreted frame and 8 of a compiled one, an int that is handed over 8 and 16. It is too large for the JIT to inline, which would
     * let levels share a frame.
     */
    @SuppressWarnings({"UnusedVariable", "TooManyParameters"}) // they are the room
    // spotless:off
    private static long reach(long levels, long[] v,
            int pa0, int pa1, int pa2, int pa3, int pa4, int pb0, int pb1, int pb2, int pb3, int pb4, int pc0, int pc1, int pc2, int pc3,
            int pc4, int pd0, int pd1, int pd2, int pd3, int pd4, int pe0, int pe1, int pe2, int pe3, int pe4, int pf0, int pf1, int pf2,
            int pf3, int pf4, int pg0, int pg1, int pg2, int pg3, int pg4, int ph0, int ph1, int ph2, int ph3, int ph4, int pi0, int pi1,
            int pi2, int pi3, int pi4, int pj0, int pj1, int pj2, int pj3, int pj4, int pk0, int pk1, int pk2, int pk3, int pk4, int pl0,
            int pl1, int pl2, int pl3, int pl4, int pm0, int pm1, int pm2, int pm3, int pm4, int pn0, int pn1, int pn2, int pn3, int pn4,
            int po0, int po1, int po2, int po3, int po4, int pp0, int pp1, int pp2, int pp3, int pp4, int pq0, int pq1, int pq2, int pq3,
            int pq4, int pr0, int pr1, int pr2, int pr3, int pr4, int ps0, int ps1, int ps2, int ps3, int ps4, int pt0, int pt1, int pt2,
            int pt3, int pt4, int pu0, int pu1, int pu2, int pu3, int pu4, int pv0, int pv1, int pv2, int pv3, int pv4, int pw0, int pw1,
            int pw2, int pw3, int pw4, int px0, int px1, int px2, int px3, int px4, int py0, int py1, int py2, int py3, int py4) {
        long a0 = v[0], a1 = v[1], a2 = v[2], a3 = v[3], a4 = v[4], b0 = v[5], b1 = v[6], b2 = v[7], b3 = v[8],
            b4 = v[9], c0 = v[10], c1 = v[11], c2 = v[12], c3 = v[13], c4 = v[14], d0 = v[15], d1 = v[16], d2 = v[17],
            d3 = v[18], d4 = v[19], e0 = v[20], e1 = v[21], e2 = v[22], e3 = v[23], e4 = v[24], f0 = v[25], f1 = v[26],
            f2 = v[27], f3 = v[28], f4 = v[29], g0 = v[30], g1 = v[31], g2 = v[32], g3 = v[33], g4 = v[34], h0 = v[35],
            h1 = v[36], h2 = v[37], h3 = v[38], h4 = v[39], i0 = v[40], i1 = v[41], i2 = v[42], i3 = v[43], i4 = v[44],
            j0 = v[45], j1 = v[46], j2 = v[47], j3 = v[48], j4 = v[49], k0 = v[50], k1 = v[51], k2 = v[52], k3 = v[53],
            k4 = v[54], l0 = v[55], l1 = v[56], l2 = v[57], l3 = v[58], l4 = v[59], m0 = v[60], m1 = v[61], m2 = v[62],
            m3 = v[63], m4 = v[64], n0 = v[65], n1 = v[66], n2 = v[67], n3 = v[68], n4 = v[69], o0 = v[70], o1 = v[71],
            o2 = v[72], o3 = v[73], o4 = v[74], p0 = v[75], p1 = v[76], p2 = v[77], p3 = v[78], p4 = v[79], q0 = v[80],
            q1 = v[81], q2 = v[82], q3 = v[83], q4 = v[84], r0 = v[85], r1 = v[86], r2 = v[87], r3 = v[88], r4 = v[89],
            s0 = v[90], s1 = v[91], s2 = v[92], s3 = v[93], s4 = v[94], t0 = v[95], t1 = v[96], t2 = v[97], t3 = v[98],
            t4 = v[99], u0 = v[100], u1 = v[101], u2 = v[102], u3 = v[103], u4 = v[104], v0 = v[105], v1 = v[106], v2 = v[107],
            v3 = v[108], v4 = v[109], w0 = v[110], w1 = v[111], w2 = v[112], w3 = v[113], w4 = v[114], x0 = v[115], x1 = v[116],
            x2 = v[117], x3 = v[118], x4 = v[119], y0 = v[120], y1 = v[121], y2 = v[122], y3 = v[123], y4 = v[124];
        long below = levels <= 0 ? 0 : reach(levels - 1, v,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0);
        return below
            + a0 + a1 + a2 + a3 + a4 + b0 + b1 + b2 + b3 + b4 + c0 + c1 + c2 + c3 + c4 + d0 + d1 + d2 + d3 + d4
            + e0 + e1 + e2 + e3 + e4 + f0 + f1 + f2 + f3 + f4 + g0 + g1 + g2 + g3 + g4 + h0 + h1 + h2 + h3 + h4
            + i0 + i1 + i2 + i3 + i4 + j0 + j1 + j2 + j3 + j4 + k0 + k1 + k2 + k3 + k4 + l0 + l1 + l2 + l3 + l4
            + m0 + m1 + m2 + m3 + m4 + n0 + n1 + n2 + n3 + n4 + o0 + o1 + o2 + o3 + o4 + p0 + p1 + p2 + p3 + p4
            + q0 + q1 + q2 + q3 + q4 + r0 + r1 + r2 + r3 + r4 + s0 + s1 + s2 + s3 + s4 + t0 + t1 + t2 + t3 + t4
            + u0 + u1 + u2 + u3 + u4 + v0 + v1 + v2 + v3 + v4 + w0 + w1 + w2 + w3 + w4 + x0 + x1 + x2 + x3 + x4
            + y0 + y1 + y2 + y3 + y4;
    }
    // spotless:on

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
