/* wick doctor: what works here, and what helps where it does not. */
#ifndef WICK_CMD_DOCTOR_H
#define WICK_CMD_DOCTOR_H

int doctor_main(int argc, char **argv);

#endif
