"""A real mail server for tests: aiosmtpd of Debian. What it took is printed as lines of JSON."""
import asyncio, json, ssl, sys
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

what = json.loads(sys.argv[1])


def tell(**said):
    print(json.dumps(said), flush=True)


class Handler:
    async def handle_MAIL(self, server, session, envelope, address, options):
        if what.get('sender') and address != what['sender']:
            return '553 5.7.1 Sender not allowed'
        envelope.mail_from = address
        return '250 OK'

    async def handle_RCPT(self, server, session, envelope, address, options):
        answer = what.get('refuse', {}).get(address)
        if answer:
            tell(refused=address)
            return answer
        envelope.rcpt_tos.append(address)
        return '250 OK'

    async def handle_DATA(self, server, session, envelope):
        if what.get('slow'):
            tell(slow=True)
            await asyncio.sleep(what['slow'])
        if what.get('no_files') and b'image/jpeg' in envelope.content:
            return '552 5.3.4 Message too big for system'
        tell(to=envelope.rcpt_tos, sender=envelope.mail_from, tls=session.ssl is not None,
             user=(session.auth_data or b'').decode(), mail=envelope.content.decode('utf-8', 'replace'))
        return '250 OK'


def authenticate(server, session, envelope, mechanism, data):
    good = (data.login.decode(), data.password.decode()) == (what['user'], what['password'])
    tell(auth=good)
    return AuthResult(success=good, handled=False, auth_data=data.login)


context = None
if what.get('cert'):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(what['cert'], what['key'])


class Server(Controller):
    def factory(self):
        auth = {'authenticator': authenticate, 'auth_required': True} if what.get('user') else {}
        if what.get('security') == 'tls':
            auth['auth_require_tls'] = False
        starttls = {'tls_context': context, 'require_starttls': True} if what.get('security') == 'starttls' else {}
        return SMTP(self.handler, hostname='mail.test', data_size_limit=what.get('most', 33554432), **auth, **starttls)


ssl_context = {'ssl_context': context} if what.get('security') == 'tls' else {}
server = Server(Handler(), hostname='127.0.0.1', port=what['port'], ready_timeout=20, **ssl_context)
server.start()
tell(port=what['port'])
sys.stdin.read()
