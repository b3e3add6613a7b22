// The last page of a sign-in: hands its query to the console that asked, which knows its state, and is gone.
// Nothing is stored; the code is taken out of the address, and is worth nothing without the verifier.

const channel = new BroadcastChannel("devportal.oauth");
channel.postMessage(location.search);
channel.close();
history.replaceState(null, "", location.pathname);
window.close();
