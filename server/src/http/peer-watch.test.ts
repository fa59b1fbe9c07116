import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lostPeers } from './peer-watch.ts'

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                                                     \n'

test('connections whose other side no longer answers are found in the tables of Linux', () => {
  const table = `${HEAD}   0: 0100007F:0F89 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 570413 1 00000000aff3c76d 100 0 0 10 0
   1: 0100007F:11F8 0100007F:D2F4 01 00000000:00000000 00:00000000 00000000     0        0 1 1 0 20 4 30 10 -1
   2: 0100007F:11F8 0500A8C0:D2F5 01 000001A4:00000000 01:00000A2F 00000006     0        0 1 4 0 120 4 30 1 1
   3: 0100007F:11F8 0500A8C0:D2F6 01 000001A4:00000000 01:00000A2F 00000005     0        0 1 4 0 120 4 30 1 1
   4: 0100007F:11F8 0500A8C0:D2F7 04 000001A4:00000000 01:00000A2F 0000000C     0        0 1 4 0 120 4 30 1 1
`
  assert.deepEqual([...lostPeers(table)], ['192.168.0.5 54005'])
})

test('addresses are written as Node writes them', () => {
  const lineOf = (address: string) =>
    `   9: 00000000000000000000000001000000:11F8 ${address}:0050 01 000001A4:00000000 01:00000A2F 00000008     0        0 1 4 0 120 4 30 1 1\n`
  const table = [
    '00000000000000000000000001000000',
    '0000000000000000FFFF00000500A8C0',
    'B80D0120000000000000000001000000',
  ]
  assert.deepEqual(
    [...lostPeers(HEAD + table.map(lineOf).join(''))],
    ['::1 80', '::ffff:192.168.0.5 80', '2001:db8::1 80'],
  )
})
