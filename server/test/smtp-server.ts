import { createServer, type Socket } from 'node:net'

export interface ReceivedMail {
  from: string
  to: string[]
  message: string
}

/** A mail server for tests that keeps what it receives. */
export async function startSmtpServer() {
  const mails: ReceivedMail[] = []
  const state = { isRefusing: false }
  const server = createServer((socket) => serve(socket, mails, state))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    /** Refuses all recipients from now on, or accepts them again. */
    refuse(isRefusing: boolean) {
      state.isRefusing = isRefusing
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function serve(socket: Socket, mails: ReceivedMail[], state: { isRefusing: boolean }): void {
  let mail: ReceivedMail = { from: '', to: [], message: '' }
  let isData = false
  let rest = ''
  const answer = (line: string) => socket.write(`${line}\r\n`)
  const addressOf = (line: string) => /<(.*?)>/.exec(line)?.[1] ?? ''
  const command = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'MAIL') mail = { from: addressOf(line), to: [], message: '' }
    if (verb === 'RCPT' && state.isRefusing) return answer('451 try again later')
    if (verb === 'RCPT') mail.to.push(addressOf(line))
    if (verb === 'DATA') isData = true
    if (verb === 'QUIT') return socket.end('221 bye\r\n')
    return answer(isData ? '354 go on' : '250 fine')
  }
  const data = (line: string) => {
    if (line !== '.') {
      mail.message += `${line}\n`
      return
    }
    isData = false
    mails.push(mail)
    answer('250 accepted')
  }
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    const lines = (rest + chunk).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines)
      if (isData) data(line)
      else command(line)
  })
  answer('220 test')
}
