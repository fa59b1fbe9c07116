/** Worker thread: holds the vector index, because adding to it and saving it take long. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { workerData } from 'node:worker_threads'
import { Index, MetricKind, ScalarKind } from 'usearch'
import { giveToOwner } from '../store/engines/folder-owner.ts'
import type { IndexedRange } from '../store/progress.ts'
import { answerRequests } from '../thread.ts'

export type VectorRequest =
  | { kind: 'open' }
  | { kind: 'reset'; to: IndexedRange }
  | { kind: 'rewind'; to: number }
  | { kind: 'remove'; seqs: number[] }
  | { kind: 'add'; seqs: number[]; vectors: Float32Array; done: IndexedRange }
  | { kind: 'nearest'; vector: Float32Array; count: number }
  | { kind: 'save' }

export interface VectorAnswer {
  done: IndexedRange
  /** True if the index has to be built anew: it is empty, or removed vectors leave others hard to reach. */
  isWorn: boolean
  seqs: number[]
  similarities: number[]
}

/** Metadata in a file beside the index. */
interface Label {
  storeId: string
  model: string
  dimensions: number
  size: number
  /** Labels of older versions have none. */
  removed?: number
  done: IndexedRange
}

const { file, storeId, model }: { file: string; storeId: string; model: string } = workerData
const labelFile = `${file}.json`

let index: Index | undefined
let dimensions = 0
let done: IndexedRange = { low: 0, high: 0, changes: 0 }
/** Number of vectors that were removed: they leave other vectors harder to reach. */
let removed = 0
let isOpen = false
let isSaved = true

answerRequests((request: VectorRequest): VectorAnswer => {
  const found = answer(request)
  const size = index?.size() ?? 0
  return { done, isWorn: size === 0 || removed > size, ...found }
})

function answer(request: VectorRequest): { seqs: number[]; similarities: number[] } {
  switch (request.kind) {
    case 'open':
      if (!isOpen) load()
      isOpen = true
      return NOTHING
    case 'reset':
      index = undefined
      removed = 0
      done = request.to
      isSaved = false
      return NOTHING
    case 'rewind':
      done = { ...done, low: request.to }
      return NOTHING
    case 'remove':
      remove(request.seqs)
      isSaved = false
      return NOTHING
    case 'add':
      add(request.seqs, request.vectors)
      done = request.done
      isSaved = false
      return NOTHING
    case 'nearest':
      return nearest(request.vector, request.count)
    case 'save':
      save()
      return NOTHING
  }
}

const NOTHING = { seqs: [], similarities: [] }

function create(size: number): Index {
  dimensions = size
  return new Index({
    dimensions: size,
    metric: MetricKind.Cos,
    quantization: ScalarKind.F16,
    connectivity: 16,
    expansion_add: 64,
    expansion_search: 512,
    multi: false,
  })
}

/** Ignores a file that does not match: the store has every vector. */
function load(): void {
  if (!existsSync(labelFile) || !existsSync(file)) return
  try {
    const label: Label = JSON.parse(readFileSync(labelFile, 'utf8'))
    if (label.storeId !== storeId || label.model !== model) return
    const loaded = create(label.dimensions)
    loaded.load(file)
    if (loaded.size() !== label.size || loaded.dimensions() !== label.dimensions) return
    index = loaded
    removed = label.removed ?? 0
    // Labels of older versions have no changes.
    done = { ...label.done, changes: label.done.changes ?? 0 }
  } catch {
    index = undefined
  }
}

function add(seqs: number[], vectors: Float32Array): void {
  if (seqs.length === 0) return
  const length = vectors.length / seqs.length
  index ??= create(length)
  if (length !== dimensions) return
  for (const [place, seq] of seqs.entries()) {
    // A model always returns the same vector for the same text.
    if (!index.contains(BigInt(seq)))
      index.add(BigInt(seq), vectors.subarray(place * dimensions, (place + 1) * dimensions), 1)
  }
}

function remove(seqs: number[]): void {
  const before = index?.size() ?? 0
  index?.remove(BigUint64Array.from(seqs, BigInt))
  removed += before - (index?.size() ?? 0)
}

function nearest(vector: Float32Array, count: number): { seqs: number[]; similarities: number[] } {
  if (index === undefined || index.size() === 0 || vector.length !== dimensions) return { seqs: [], similarities: [] }
  const { keys, distances } = index.search(vector, Math.min(count, index.size()), 1)
  return { seqs: Array.from(keys, Number), similarities: Array.from(distances, (distance) => 1 - distance) }
}

/** Removes the label first and writes it last: after a crash in between, the index has no label and is ignored. */
function save(): void {
  if (isSaved || index === undefined) return
  mkdirSync(dirname(file), { recursive: true })
  rmSync(labelFile, { force: true })
  index.save(`${file}.new`)
  renameSync(`${file}.new`, file)
  const label: Label = { storeId, model, dimensions, size: index.size(), removed, done }
  writeFileSync(`${labelFile}.new`, JSON.stringify(label))
  renameSync(`${labelFile}.new`, labelFile)
  giveToOwner(dirname(dirname(file)), dirname(file))
  isSaved = true
}
