import { type ExchangeAnswer, type ExchangeRequest, exchange } from './exchange.ts'
import type { Login } from './login.ts'

/**
 * One exchange as whoever `login` names: where the server asks who that is, it is told, once. Redirects are followed
 * at the same origin only. Rejects as `exchange` does, and with `bad_request` where the password is not there.
 */
export async function exchangeAs(
  login: Login,
  request: Omit<ExchangeRequest, 'redirect'>,
): Promise<ExchangeAnswer> {
  const { url, method, headers } = request
  let sent: string | null = null
  const signed = ({ pathname, search }: URL) => {
    sent = login.header(method, `${pathname}${search}`)
    return sent === null ? headers : { ...headers, authorization: sent }
  }
  const once = () =>
    exchange({
      ...request,
      headers: signed(url),
      redirect: to => (to.origin === url.origin ? signed(to) : null),
    })
  const answer = await once()
  return answer.status === 401 && login.challenged(answer.header('www-authenticate'), sent) ? once() : answer
}
