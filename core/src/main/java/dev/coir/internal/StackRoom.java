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
     * All guarded by StackEndTest. What the JVM does when code runs for the first time, linking and initializing, needs more
     *     room than this, and is not covered.
     *
     * Rejected: calling deep down and coming back (a thousand calls, as StackedWaits does where it may take its time); freeing the
     *     guard where an error is caught (the guarded state may be half changed, and others wait for ever for what they were
     *     not told); the JDK's own reserved pages, which only its own classes may use.
     */
    private static boolean never; // nobody sets it; not final, for the compiler must not know

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
