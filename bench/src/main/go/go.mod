module coir.dev/bench/peer

go 1.19
