// Stands for glibc's libpthread when a wheel is linked: what it has moved to libc in 2.34, and
// systems before that look for a symbol in the file that was named then. Never loaded, nor part of
// a wheel.
void pthread_create(void) {}
void pthread_detach(void) {}
void pthread_join(void) {}
void pthread_mutex_timedlock(void) {}
void pthread_mutex_trylock(void) {}
void pthread_once(void) {}
void pthread_sigmask(void) {}
