#!/usr/bin/env python3
"""protobuf.py otlp|perfetto FILE: prints the samples of a file of protocol buffers, decoded as the .proto files of
OpenTelemetry and Perfetto describe them.  A field that they do not have, or of another type, is an error."""
import struct
import sys

OTLP = {
    'ProfilesData': {1: ('resource_profiles', ['ResourceProfiles']), 2: ('dictionary', 'Dictionary')},
    'ResourceProfiles': {1: ('resource', 'Resource'), 2: ('scope_profiles', ['ScopeProfiles'])},
    'Resource': {1: ('attributes', ['KeyValue'])},
    'KeyValue': {1: ('key', 'string'), 2: ('value', 'AnyValue')},
    'AnyValue': {1: ('string', 'string'), 3: ('int', 'varint')},
    'ScopeProfiles': {1: ('scope', 'Scope'), 2: ('profiles', ['Profile'])},
    'Scope': {1: ('name', 'string'), 2: ('version', 'string')},
    'Dictionary': {1: ('mapping', ['Mapping']), 2: ('location', ['Location']), 3: ('function', ['Function']),
                   4: ('link', ['Link']), 5: ('string', ['string']), 6: ('attribute', ['Attribute']),
                   7: ('stack', ['Stack'])},
    'Profile': {1: ('sample_type', 'ValueType'), 2: ('samples', ['Sample']), 3: ('time_unix_nano', 'fixed64'),
                4: ('duration_nano', 'varint'), 5: ('period_type', 'ValueType'), 6: ('period', 'varint'), 11: ('attributes', 'packed')},
    'ValueType': {1: ('type', 'varint'), 2: ('unit', 'varint')},
    'Sample': {1: ('stack', 'varint'), 2: ('attributes', 'packed'), 3: ('link', 'varint'), 4: ('values', 'packed'),
               5: ('timestamps', 'packed64')},
    'Mapping': {1: ('memory_start', 'varint'), 2: ('memory_limit', 'varint'), 3: ('file_offset', 'varint'),
                4: ('filename', 'varint'), 5: ('attributes', 'packed')},
    'Stack': {1: ('locations', 'packed')},
    'Location': {1: ('mapping', 'varint'), 2: ('address', 'varint'), 3: ('lines', ['Line'])},
    'Line': {1: ('function', 'varint'), 2: ('line', 'varint')},
    'Function': {1: ('name', 'varint'), 2: ('system_name', 'varint'), 3: ('filename', 'varint')},
    'Attribute': {1: ('key', 'varint'), 2: ('value', 'AnyValue')},
    'Link': {},
}
PERFETTO = {
    'Trace': {1: ('packet', ['Packet'])},
    'Packet': {8: ('timestamp', 'varint'), 10: ('sequence', 'varint'), 11: ('track_event', 'TrackEvent'),
               12: ('interned', 'Interned'), 13: ('flags', 'varint'), 59: ('defaults', 'Defaults'),
               60: ('track', 'Track'), 66: ('sample', 'Sample')},
    'Defaults': {12: ('perf', 'PerfDefaults')},
    'PerfDefaults': {1: ('timebase', 'Timebase')},
    'Timebase': {1: ('period', 'varint'), 10: ('name', 'string')},
    'Interned': {5: ('function_names', ['String']), 6: ('frames', ['Frame']), 7: ('callstacks', ['Callstack']),
                 16: ('build_ids', ['String']), 17: ('mapping_paths', ['String']), 18: ('source_paths', ['String']),
                 19: ('mappings', ['Mapping'])},
    'String': {1: ('iid', 'varint'), 2: ('str', 'string')},
    'Mapping': {1: ('iid', 'varint'), 2: ('build_id', 'varint'), 5: ('end', 'varint'), 7: ('path', ['varint'])},
    'Frame': {1: ('iid', 'varint'), 2: ('function_name', 'varint'), 3: ('mapping', 'varint'), 4: ('rel_pc', 'varint'),
              5: ('source_path', 'varint'), 6: ('line', 'varint')},
    'Callstack': {1: ('iid', 'varint'), 2: ('frames', ['varint'])},
    'Sample': {1: ('cpu', 'varint'), 2: ('pid', 'varint'), 3: ('tid', 'varint'), 4: ('callstack', 'varint'),
               6: ('timebase_count', 'varint')},
    'Track': {1: ('uuid', 'varint'), 2: ('name', 'string'), 3: ('process', 'Process'), 4: ('thread', 'Thread'),
              5: ('parent', 'varint'), 8: ('counter', 'Counter')},
    'Process': {1: ('pid', 'varint'), 6: ('name', 'string')},
    'Thread': {1: ('pid', 'varint'), 2: ('tid', 'varint'), 5: ('name', 'string')},
    'Counter': {3: ('unit', 'varint'), 6: ('unit_name', 'string')},
    'TrackEvent': {4: ('annotations', ['Annotation']), 9: ('type', 'varint'), 11: ('track', 'varint'),
                   22: ('categories', ['string']), 23: ('name', 'string'), 30: ('value', 'varint'),
                   44: ('double_value', 'fixed64')},
    'Annotation': {6: ('string', 'string'), 10: ('name', 'string')},
}
WIRE = {'varint': 0, 'fixed64': 1}


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def varints(data):
    at, found = 0, []
    while at < len(data):
        value, at = varint(data, at)
        found.append(value)
    return found


def decode(schema, message, data):
    """A dictionary; what is repeated is always a list."""
    result = {name: [] for name, kind in schema[message].values() if isinstance(kind, list)}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        name, kind = schema[message][key >> 3]
        one = kind[0] if isinstance(kind, list) else kind
        assert key & 7 == WIRE.get(one, 2), (message, name)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = (8, at) if key & 7 == 1 else varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size
            if one == 'fixed64':
                value = struct.unpack('<Q', value)[0]
            elif one == 'string':
                value = value.decode('utf-8')
            elif one == 'packed':
                value = varints(value)
            elif one == 'packed64':
                value = [v[0] for v in struct.iter_unpack('<Q', value)]
            else:
                value = decode(schema, one, value)
        if isinstance(kind, list):
            result[name].append(value)
        else:
            assert name not in result, (message, name)
            result[name] = value
    return result


# Which table of the dictionary a field refers to.
REFERS = {'mapping': 'mapping', 'function': 'function', 'stack': 'stack', 'link': 'link', 'locations': 'location',
          'attributes': 'attribute', 'name': 'string', 'system_name': 'string', 'filename': 'string', 'key': 'string',
          'type': 'string', 'unit': 'string'}


def follow(tables, message):
    """Every index is one of a row that exists."""
    for name, value in message.items():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                follow(tables, one)
            elif isinstance(one, int) and name in REFERS:
                assert one < len(tables[REFERS[name]]), (name, one)


def print_otlp(data):
    whole = decode(OTLP, 'ProfilesData', data)
    tables = whole['dictionary']
    for name, table in tables.items():
        assert not table[0] or not any(table[0].values()), name
    string = tables['string']
    follow(tables, whole)

    def attribute(i):
        a = tables['attribute'][i]
        return f"{string[a['key']]}={a['value'].get('string', a['value'].get('int'))}"

    for resource in whole['resource_profiles']:
        for scope in resource['scope_profiles']:
            for profile in scope['profiles']:
                kind = profile['sample_type']
                for s in profile['samples']:
                    assert len(s['values']) == 1
                    path = []
                    for i in tables['stack'][s.get('stack', 0)].get('locations', []):
                        location = tables['location'][i]
                        module = tables['mapping'][location.get('mapping', 0)].get('filename', 0)
                        for line in location['lines']:
                            name = string[tables['function'][line['function']]['name']]
                            path.insert(0, f"{name}@{string[module]}:{line.get('line', 0)}")
                    print(string[kind['type']], string[kind['unit']], ';'.join(path), s['values'][0],
                          *s.get('timestamps', []), *map(attribute, s.get('attributes', [])))


def print_perfetto(data):
    tables, timebase, tracks, opened = {}, {}, {}, {}
    for p in decode(PERFETTO, 'Trace', data)['packet']:
        known = tables.setdefault(p.get('sequence'), {})
        for name, rows in p.get('interned', {}).items():
            for row in rows:
                assert row['iid'] and row['iid'] not in known.setdefault(name, {}), 'interned twice'
                known[name][row['iid']] = row
        if 'defaults' in p:
            assert p['flags'] == 1
            timebase[p['sequence']] = p['defaults']['perf']['timebase']['name']
        if 'track' in p:
            t = p['track']
            assert t['uuid'] not in tracks
            tracks[t['uuid']] = t
            print('track', t.get('name', ''), *(f'{k}={v}' for k, v in t.get('thread', {}).items()))
        if 'sample' in p:
            assert p['flags'] == 2
            path = []
            for i in known['callstacks'][p['sample']['callstack']]['frames']:
                f = known['frames'][i]
                module = known['mapping_paths'][known['mappings'][f['mapping']]['path'][0]]['str'] if 'mapping' in f else ''
                path.append(f"{known['function_names'][f['function_name']]['str']}@{module}:{f.get('line', 0)}")
            s = p['sample']
            print(timebase[p['sequence']], s['pid'], s['tid'], p['timestamp'], s['timebase_count'], ';'.join(path))
        if 'track_event' in p:
            event = p['track_event']
            stack = opened.setdefault(event['track'], [])
            assert event['track'] in tracks
            if event['type'] == 1:
                stack.append((event['name'], p['timestamp']))
            elif event['type'] == 2:
                name, begin = stack.pop()
                print('slice', tracks[event['track']]['name'], name, begin, p['timestamp'])
    assert not any(opened.values())


with open(sys.argv[2], 'rb') as f:
    {'otlp': print_otlp, 'perfetto': print_perfetto}[sys.argv[1]](f.read())
