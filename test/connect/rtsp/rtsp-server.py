"""A real RTSP server for tests: GStreamer's. Takes RTP on a port of this box, or plays a file; says its port."""
import json
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

wanted = json.loads(sys.argv[1])
Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(str(wanted.get("port", 0)))

factory = GstRtspServer.RTSPMediaFactory()
if "rtp" in wanted:
    caps = "application/x-rtp,media=video,clock-rate=90000,encoding-name=H264,payload=96"
    source = f'udpsrc port={wanted["rtp"]} caps="{caps}" ! rtph264depay ! h264parse'
else:
    source = f'filesrc location={wanted["file"]} ! qtdemux ! h264parse'
factory.set_launch(f"( {source} ! rtph264pay name=pay0 pt=96 )")
factory.set_shared("rtp" in wanted)

if "user" in wanted:
    user, password = wanted["user"], wanted["password"]
    auth, token = GstRtspServer.RTSPAuth(), GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "viewer")
    if wanted["auth"] == "digest":
        auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
        auth.add_digest(user, password, token)
    else:
        auth.add_basic(GstRtspServer.RTSPAuth.make_basic(user, password), token)
    server.set_auth(auth)
    role = "viewer, media.factory.access=(boolean)true, media.factory.construct=(boolean)true"
    factory.add_role_from_structure(Gst.Structure.new_from_string(role))

server.get_mount_points().add_factory("/live", factory)
if not server.attach(None):
    sys.exit("the port is taken")
print(server.get_bound_port(), flush=True)
GLib.MainLoop().run()
