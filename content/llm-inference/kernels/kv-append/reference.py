def reference(k, v, lengths, counts, table, k_cache, v_cache):
    for s in range(len(lengths)):
        for c in range(counts[s]):
            page, row = divmod(int(lengths[s]) + c, 16)
            k_cache[table[s, page], row] = k[s, c]
            v_cache[table[s, page], row] = v[s, c]
    return k_cache, v_cache
