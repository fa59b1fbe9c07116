import type { TopicNode } from 'mintick-client'
import { useState } from 'preact/hooks'
import { usePaidQuery } from '../../api/paid-query.ts'
import { addressOf } from '../../ui/address.ts'
import { Field } from '../../ui/form.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Card, Page } from '../../ui/page.tsx'
import { RunBar } from '../../ui/run-bar.tsx'
import { Empty, Loaded, Skeleton } from '../../ui/states.tsx'

/** The tree of topics; each leads to its news. */
export default function Topics() {
  const tree = usePaidQuery({ path: '/topics/tree', method: 'topics.tree' })
  return (
    <Page title="Topics" lede="What news is about. A topic includes the topics below it.">
      <div class="card">
        <RunBar of={[tree]} />
      </div>
      {tree.isAsked ? (
        <Loaded of={tree.query} skeleton={<Skeleton lines={12} />}>
          {(roots) => (roots.length === 0 ? <Empty title="There are no topics." /> : <Tree roots={roots} />)}
        </Loaded>
      ) : (
        <Empty title="Nothing is loaded yet.">
          <p>Run to load the tree with the number of entries of each topic.</p>
        </Empty>
      )}
    </Page>
  )
}

function Tree({ roots }: { roots: readonly TopicNode[] }) {
  const [typed, setTyped] = useState('')
  const shown = typed.trim() === '' ? roots : roots.flatMap((root) => matching(root, typed.trim().toLowerCase()))
  const most = Math.max(1, ...roots.map(({ entryCount }) => entryCount))
  return (
    <Card>
      <Field label="Find a topic">
        {(props) => (
          <input {...props} type="search" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        )}
      </Field>
      {shown.length === 0 ? <Empty title="No topic has this name." /> : <Branch nodes={shown} most={most} />}
    </Card>
  )
}

/** Returns the topic with those below it whose name matches; nothing if none does. */
function matching(node: TopicNode, text: string): TopicNode[] {
  if (node.name.toLowerCase().includes(text)) return [node]
  const children = node.children.flatMap((child) => matching(child, text))
  return children.length === 0 ? [] : [{ ...node, children }]
}

function Branch({ nodes, most }: { nodes: readonly TopicNode[]; most: number }) {
  return (
    <ul class="tree">
      {nodes.map(({ id, slug, name, entryCount, children }) => (
        <li key={id}>
          <div class="tree-row">
            <a href={addressOf('/dashboard/news', { topicSlug: slug })}>{name}</a>
            <span class="share" aria-hidden="true">
              <span style={{ width: `${(entryCount / most) * 100}%` }} />
            </span>
            <span class="number">{formatNumber(entryCount)}</span>
          </div>
          {children.length > 0 && <Branch nodes={children} most={most} />}
        </li>
      ))}
    </ul>
  )
}
