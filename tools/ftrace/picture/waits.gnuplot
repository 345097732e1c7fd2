# SPDX-License-Identifier: GPL-2.0
# gnuplot -c waits.gnuplot TABLE PICTURE: draws the table of waits.awk

set terminal svg size 1280,480 noenhanced background "white" font "sans-serif,15"
set output ARG2
set title "How long tasks waited to run after they had been woken"
set xlabel "up to"
set ylabel "wake-ups"
set xtics nomirror scale 0 font "sans-serif,11"
set ytics nomirror
set grid ytics
set border 3
set key top right reverse Left invert title "task"
set style data histograms
set style histogram rowstacked
set style fill solid border rgb "white"
set boxwidth 0.8
plot for [i = 2:*] ARG1 using i:xtic(1) title columnheader(i)
